import { Module, type DynamicModule } from "@nestjs/common";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { AccountsController } from "./accounts/accounts.controller.js";
import { Catalog } from "./catalog/catalog.js";
import { CoreModule } from "./core.module.js";
import { Foundation } from "./foundation.js";
import { GpuMarketCache } from "./gpus/gpu-market.js";
import { GpuPriceReader } from "./gpus/gpu-prices.js";
import { GpusController } from "./gpus/gpus.controller.js";
import { HistoryController } from "./history/history.controller.js";
import { ListingViewCache } from "./listings/listing-view-cache.js";
import { ListingsController } from "./listings/listings.controller.js";
import { AgentTools } from "./mcp/agent-tools.js";
import { McpController } from "./mcp/mcp.controller.js";
import { OffersController } from "./offers/offers.controller.js";
import { ProvidersController } from "./providers/providers.controller.js";
import { SourcesController } from "./sources/sources.controller.js";
import { CompactListCache } from "./web/compact-list-cache.js";
import { WebController } from "./web/web.controller.js";

/** The service: every resource of the API, and the tools for agents if they are on. */
@Module({})
export class ServiceModule {
  static on(foundation: Foundation): DynamicModule {
    const { config } = foundation;
    const hasAgents = config.MCP === "on";
    return {
      module: ServiceModule,
      imports: [CoreModule.on(foundation)],
      controllers: [
        OffersController,
        ProvidersController,
        AccountsController,
        SourcesController,
        HistoryController,
        GpusController,
        ListingsController,
        ...(config.WEB === "on" ? [WebController] : []),
        ...(hasAgents ? [McpController] : []),
      ],
      providers: [GPU_PRICES, LISTINGS, COMPACT_LISTS, ...(hasAgents ? [AGENT_TOOLS] : [])],
    };
  }
}

/** The program that only syncs live sources (LIVE_SYNC=only): health and metrics. */
@Module({})
export class SyncModule {
  static on(foundation: Foundation): DynamicModule {
    return { module: SyncModule, imports: [CoreModule.on(foundation)] };
  }
}

const GPU_PRICES = {
  provide: GpuPriceReader,
  inject: [Foundation],
  useFactory: ({ database }: Foundation) => new GpuPriceReader(database),
};

const LISTINGS = {
  provide: ListingViewCache,
  inject: [Catalog],
  useFactory: (catalog: Catalog) => new ListingViewCache(catalog),
};

const COMPACT_LISTS = {
  provide: CompactListCache,
  inject: [ListingViewCache],
  useFactory: (views: ListingViewCache) => new CompactListCache(views),
};

const AGENT_TOOLS = {
  provide: AgentTools,
  inject: [Foundation, Catalog, GpuMarketCache, GpuPriceReader, ListingViewCache, CreditStore],
  useFactory: (
    { config, log, version }: Foundation,
    catalog: Catalog,
    gpus: GpuMarketCache,
    gpuPrices: GpuPriceReader,
    listings: ListingViewCache,
    ledger: CreditStore,
  ) =>
    new AgentTools({
      catalog,
      gpus,
      gpuPrices,
      listings,
      ledger,
      logger: log.logger,
      allowedHosts: config.MCP_ALLOWED_HOSTS,
      version,
    }),
};
