import { Module, type DynamicModule, type Provider } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, HttpAdapterHost } from "@nestjs/core";
import { AccountStore } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { PriceHistoryStore } from "@gpu-offers/store/price-history.store";
import { Catalog } from "./catalog/catalog.js";
import { Foundation } from "./foundation.js";
import { GpuMarketCache } from "./gpus/gpu-market.js";
import { HealthController } from "./health/health.controller.js";
import { AccessGuard } from "./http/access.guard.js";
import type { WireAdapter } from "./http/adapter.js";
import { CachingInterceptor } from "./http/caching.interceptor.js";
import { CatalogAccessRule } from "./http/catalog-access-rule.js";
import { ErrorFilter } from "./http/error.filter.js";
import { NoParametersInterceptor, ParametersPipe } from "./http/parameters.pipe.js";
import { KeyCache } from "./keys/key-cache.js";
import { LiveSync } from "./live/live-sync.js";
import { LiveMetrics } from "./metrics/live-metrics.js";
import { MetricsController } from "./metrics/metrics.controller.js";
import { Metrics } from "./metrics/metrics.js";
import { PriceMetrics } from "./metrics/price-metrics.js";
import { readOfferList } from "./offers/offer-list-reader.js";
import { CatalogResponseCache } from "./wire/catalog-response-cache.js";
import { Connections } from "./wire/connections.js";
import { RequestMetrics } from "./wire/request-metrics.js";
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
    const hasMetrics = foundation.config.METRICS === "on";
    const hasPrices = hasMetrics && foundation.config.PRICE_METRICS === "on";
    const providers = [
      ...STORES,
      ...HTTP,
      ...WIRE,
      ...(hasMetrics ? METRICS : []),
      ...(hasPrices ? [PRICE_METRICS] : []),
    ];
    return {
      module: CoreModule,
      imports: [FoundationModule.on(foundation)],
      controllers: [HealthController, ...(hasMetrics ? [MetricsController] : [])],
      providers: [...providers, SYNC],
      exports: [FoundationModule, KeyCache, CatalogAccessRule, ...STORES],
    };
  }
}

const STORES = [
  { provide: Catalog, inject: [Foundation], useFactory: ({ catalog }: Foundation) => catalog },
  { provide: GpuMarketCache, inject: [Catalog], useFactory: (catalog: Catalog) => new GpuMarketCache(catalog) },
  { provide: AccountStore, inject: [Foundation], useFactory: ({ database }: Foundation) => new AccountStore(database) },
  { provide: ApiKeyStore, inject: [Foundation], useFactory: ({ database }: Foundation) => new ApiKeyStore(database) },
  { provide: CreditStore, inject: [Foundation], useFactory: ({ database }: Foundation) => new CreditStore(database) },
  {
    provide: PriceHistoryStore,
    inject: [Foundation],
    useFactory: ({ database }: Foundation) => new PriceHistoryStore(database),
  },
] satisfies Provider[];

/** What every route shares. */
const HTTP: Provider[] = [
  {
    provide: KeyCache,
    inject: [ApiKeyStore, Foundation],
    useFactory: (apiKeys: ApiKeyStore, { log }: Foundation) => new KeyCache(apiKeys, log.logger),
  },
  {
    provide: CatalogAccessRule,
    inject: [Foundation],
    useFactory: ({ config }: Foundation) => new CatalogAccessRule(config.REQUIRE_API_KEY),
  },
  { provide: APP_FILTER, inject: [Foundation], useFactory: ({ log }: Foundation) => new ErrorFilter(log.logger) },
  { provide: APP_GUARD, useClass: AccessGuard },
  { provide: APP_INTERCEPTOR, useClass: NoParametersInterceptor },
  { provide: APP_INTERCEPTOR, useClass: CachingInterceptor },
  { provide: APP_PIPE, useClass: ParametersPipe },
];

/** The HTTP server below Nest. */
const WIRE: Provider[] = [
  Connections,
  {
    provide: CatalogResponseCache,
    inject: [Catalog, CatalogAccessRule],
    useFactory: (catalog: Catalog, { isKeyRequired }: CatalogAccessRule) =>
      new CatalogResponseCache(catalog, (url) => readOfferList(catalog, url), isKeyRequired),
  },
  {
    provide: Wire,
    inject: [
      Foundation,
      HttpAdapterHost,
      Connections,
      KeyCache,
      CatalogResponseCache,
      { token: RequestMetrics, optional: true },
    ],
    useFactory: (
      { config, log, tracing }: Foundation,
      host: HttpAdapterHost<WireAdapter>,
      connections: Connections,
      keys: KeyCache,
      cache: CatalogResponseCache,
      metrics: RequestMetrics | undefined,
    ) => new Wire({ config, host, connections, keys, ...log, cache, metrics, tracing }),
  },
];

const PRICE_METRICS: Provider = {
  provide: PriceMetrics,
  inject: [Metrics, Catalog, GpuMarketCache],
  useFactory: ({ registry }: Metrics, catalog: Catalog, gpus: GpuMarketCache) =>
    new PriceMetrics(registry, catalog, gpus),
};

const METRICS: Provider[] = [
  {
    provide: Metrics,
    inject: [Foundation, Catalog, CreditStore],
    useFactory: ({ log, version }: Foundation, catalog: Catalog, ledger: CreditStore) =>
      new Metrics({ catalog, ledger, logger: log.logger, logOutput: log.output, version }),
  },
  {
    provide: RequestMetrics,
    inject: [Metrics, Connections, CatalogResponseCache],
    useFactory: ({ registry }: Metrics, connections: Connections, cache: CatalogResponseCache) =>
      new RequestMetrics(registry, connections, cache),
  },
  {
    provide: LiveMetrics,
    inject: [Metrics, Catalog],
    useFactory: ({ registry }: Metrics, catalog: Catalog) => new LiveMetrics(registry, catalog),
  },
];

/** The thread that syncs live sources, if the settings want one. */
const SYNC: Provider = {
  provide: LiveSync,
  inject: [Foundation, { token: LiveMetrics, optional: true }],
  useFactory: ({ config, catalog, log }: Foundation, metrics: LiveMetrics | undefined) =>
    new LiveSync({
      isTerminal: process.stdout.isTTY,
      logger: log.logger,
      isNeeded: () =>
        config.LIVE_SYNC === "only" ||
        (config.LIVE_SYNC === "on" && (catalog.freshness.hasEnabledSource || config.SOURCES_FILE !== undefined)),
      onEvent: (event) => metrics?.see(event),
    }),
};
