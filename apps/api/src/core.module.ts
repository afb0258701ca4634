import { Module, type DynamicModule, type Provider } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, APP_PIPE } from "@nestjs/core";
import { AccountStore } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { PriceHistoryStore } from "@gpu-offers/store/price-history.store";
import { OfferStockStore } from "@gpu-offers/store/remembered-stock";
import { Catalog } from "./catalog/catalog.js";
import { Foundation } from "./foundation.js";
import { GpuMarketCache } from "./gpus/gpu-market.js";
import { HealthController } from "./health/health.controller.js";
import { AccessGuard } from "./http/access.guard.js";
import { ErrorFilter } from "./http/error.filter.js";
import { NoParametersGuard, ParametersPipe } from "./http/parameters.pipe.js";
import { KeyCache } from "./keys/key-cache.js";
import { LiveSync } from "./live/live-sync.js";
import { MetricsController } from "./metrics/metrics.controller.js";
import { METRICS, PriceMetrics } from "./metrics/metrics.js";
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

/** What both programs consist of, the service and the one that only syncs: wire, access, health, metrics and sync. */
@Module({})
export class CoreModule {
  static on(foundation: Foundation): DynamicModule {
    const { config } = foundation;
    const hasMetrics = config.METRICS === "on";
    return {
      module: CoreModule,
      imports: [FoundationModule.on(foundation)],
      controllers: [HealthController, ...(hasMetrics ? [MetricsController] : [])],
      providers: [
        ...STORES,
        ...HTTP,
        GpuMarketCache,
        Connections,
        CatalogResponseCache,
        Wire,
        ...(hasMetrics ? METRICS : []),
        ...(hasMetrics && config.PRICE_METRICS === "on" ? [PriceMetrics] : []),
        LiveSync,
      ],
      exports: [FoundationModule, KeyCache, GpuMarketCache, Wire, ...STORES],
    };
  }
}

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
