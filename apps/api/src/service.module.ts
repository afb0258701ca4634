import { AccountStore } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { PriceHistoryStore } from "@gpu-offers/store/offer-history";
import { OfferStockStore } from "@gpu-offers/store/remembered-stock";
import { Module, type DynamicModule, type ModuleMetadata, type Provider } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, APP_PIPE } from "@nestjs/core";
import { AccountsController } from "./accounts/accounts.controller.js";
import { Catalog } from "./catalog/catalog.js";
import { Foundation } from "./foundation.js";
import { GpuPriceReader } from "./gpus/gpu-prices.js";
import { GpusController } from "./gpus/gpus.controller.js";
import { MarketSummaryReader } from "./gpus/market-summary.js";
import { HealthController } from "./health/health.controller.js";
import { HistoryController } from "./history/history.controller.js";
import { AccessGuard } from "./http/access.guard.js";
import { ErrorFilter } from "./http/error.filter.js";
import { NoParametersGuard, ParametersPipe } from "./http/parameters.pipe.js";
import { KeyCache } from "./keys/key-cache.js";
import { ListingViewCache } from "./listings/listing-view.js";
import { ListingsController } from "./listings/listings.controller.js";
import { LiveSync } from "./live/live-sync.js";
import { MetricsController } from "./metrics/metrics.controller.js";
import { METRICS, PriceMetrics } from "./metrics/metrics.js";
import { OfferListHook } from "./offers/offer-list.hook.js";
import { OffersController } from "./offers/offers.controller.js";
import { ProvidersController } from "./providers/providers.controller.js";
import { SourcesController } from "./sources/sources.controller.js";
import { FeedController } from "./web/feed.controller.js";
import { CompactListCache, WebController } from "./web/web.controller.js";
import { WebPages } from "./web/web-pages.js";
import { CatalogResponseCache } from "./wire/catalog-response-cache.js";
import { Connections } from "./wire/connections.js";
import { Wire } from "./wire/wire.js";

/** Nest stops the innermost module last. */
@Module({})
class FoundationModule {
  static on(foundation: Foundation): DynamicModule {
    return {
      module: FoundationModule,
      providers: [{ provide: Foundation, useValue: foundation }],
      exports: [Foundation],
    };
  }
}

/**
 * The service: wire, access, health, metrics, sync, every resource of the API, and the tools for agents if they are given.
 * With LIVE_SYNC=only, it has no resources.
 */
@Module({})
export class ServiceModule {
  static on(foundation: Foundation, agents: Pick<ModuleMetadata, "controllers" | "providers"> = {}): DynamicModule {
    const { LIVE_SYNC, METRICS: metrics, PRICE_METRICS, WEB } = foundation.config;
    const isPublic = LIVE_SYNC !== "only";
    const hasMetrics = metrics === "on";
    return {
      module: ServiceModule,
      imports: [FoundationModule.on(foundation)],
      controllers: [
        ...(isPublic ? RESOURCES : []),
        ...(isPublic && WEB === "on" ? [WebController, FeedController] : []),
        ...(agents.controllers ?? []),
        HealthController,
        ...(hasMetrics ? [MetricsController] : []),
      ],
      providers: [
        ...STORES,
        ...HTTP,
        ListingViewCache,
        Connections,
        CatalogResponseCache,
        Wire,
        ...(hasMetrics ? METRICS : []),
        ...(hasMetrics && PRICE_METRICS === "on" ? [PriceMetrics] : []),
        LiveSync,
        ...(isPublic ? API : []),
        ...(agents.providers ?? []),
      ],
    };
  }
}

const RESOURCES = [
  OffersController,
  ProvidersController,
  AccountsController,
  SourcesController,
  HistoryController,
  GpusController,
  ListingsController,
];

/** What its resources need. */
const API = [OfferListHook, GpuPriceReader, MarketSummaryReader, CompactListCache, WebPages];

/** Plain classes without Nest's decorators, which tests and commands make with `new`. */
const STORES = [
  { provide: Catalog, inject: [Foundation], useFactory: ({ catalog }: Foundation) => catalog },
  ...[AccountStore, ApiKeyStore, CreditStore, PriceHistoryStore, OfferStockStore].map((Store) => ({
    provide: Store,
    inject: [Foundation],
    useFactory: ({ database }: Foundation) => new Store(database),
  })),
] satisfies Provider[];

/** What every operation shares. */
const HTTP: Provider[] = [
  {
    provide: KeyCache,
    inject: [ApiKeyStore, Foundation],
    useFactory: (apiKeys: ApiKeyStore, { log }: Foundation) => new KeyCache(apiKeys, log.logger),
  },
  { provide: APP_FILTER, useClass: ErrorFilter },
  { provide: APP_GUARD, useClass: AccessGuard },
  { provide: APP_GUARD, useClass: NoParametersGuard },
  { provide: APP_PIPE, useClass: ParametersPipe },
];
