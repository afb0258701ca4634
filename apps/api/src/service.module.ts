import { Module, type DynamicModule } from "@nestjs/common";
import { AccountsController } from "./accounts/accounts.controller.js";
import { CoreModule } from "./core.module.js";
import type { Foundation } from "./foundation.js";
import { GpuPriceReader } from "./gpus/gpu-prices.js";
import { MarketSummaryReader } from "./gpus/market-summary.js";
import { GpusController } from "./gpus/gpus.controller.js";
import { HistoryController } from "./history/history.controller.js";
import { ListingService } from "./listings/listing.service.js";
import { ListingViewCache } from "./listings/listing-view-cache.js";
import { ListingsController, PlanController } from "./listings/listings.controller.js";
import { AgentTools } from "./mcp/agent-tools.js";
import { McpController } from "./mcp/mcp.controller.js";
import { OfferListHook } from "./offers/offer-list.hook.js";
import { OffersController } from "./offers/offers.controller.js";
import { ProvidersController } from "./providers/providers.controller.js";
import { SourcesController } from "./sources/sources.controller.js";
import { CompactListCache } from "./web/compact-list-cache.js";
import { FeedController } from "./web/feed.controller.js";
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
        PlanController,
        ...(config.WEB === "on" ? [WebController, FeedController] : []),
        ...(hasAgents ? [McpController] : []),
      ],
      providers: [
        OfferListHook,
        GpuPriceReader,
        MarketSummaryReader,
        ListingViewCache,
        ListingService,
        CompactListCache,
        ...(hasAgents ? [AgentTools] : []),
      ],
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
