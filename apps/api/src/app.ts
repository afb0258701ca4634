import "reflect-metadata";
import { Module, type DynamicModule } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, NestFactory } from "@nestjs/core";
import type { FastifyAdapter, NestFastifyApplication } from "@nestjs/platform-fastify";
import { Kysely } from "kysely";
import type { Logger } from "pino";
import { AccountsController } from "./accounts/accounts.controller.js";
import type { Representation } from "./catalog/snapshot.js";
import { Catalog } from "./catalog/catalog.js";
import type { Config } from "./config.js";
import { GpusController } from "./gpus/gpus.controller.js";
import { HealthController } from "./health/health.controller.js";
import { HistoryController } from "./history/history.controller.js";
import { AccessGuard } from "./http/access.guard.js";
import { createAdapter } from "./http/adapter.js";
import { CatalogAccessRule } from "./http/catalog-access-rule.js";
import { CachingInterceptor } from "./http/caching.interceptor.js";
import { ErrorFilter } from "./http/error.filter.js";
import { NoParametersInterceptor, ParametersPipe } from "./http/parameters.pipe.js";
import { KeyRing } from "./keys/key-ring.js";
import { LiveMetrics } from "./metrics/live-metrics.js";
import { SourcesController } from "./sources/sources.controller.js";
import type { LogOutput } from "./log-output.js";
import { NestLog, type LogRequest } from "./log.js";
import { AgentTools } from "./mcp/agent-tools.js";
import { McpController } from "./mcp/mcp.controller.js";
import { MetricsController } from "./metrics/metrics.controller.js";
import { Metrics } from "./metrics/metrics.js";
import { readOfferList } from "./offers/offer-list-reader.js";
import { OffersController } from "./offers/offers.controller.js";
import { serveOpenApi } from "./openapi/document.js";
import { ProvidersController } from "./providers/providers.controller.js";
import type { Database } from "@gpu-offers/store/database";
import type { Tracing } from "./tracing.js";
import { CatalogResponseCache } from "./wire/catalog-response-cache.js";
import type { Connections } from "./wire/connections.js";
import { RequestMetrics } from "./wire/request-metrics.js";
import { Routes } from "./wire/routes.js";
import { Wire } from "./wire/wire.js";

/** Dependencies of the service. */
export interface AppParts {
  config: Config;
  database: Database;
  catalog: Catalog;
  keys: KeyRing;
  connections: Connections;
  logger: Logger;
  /** Logs requests, to the same output as the logger. */
  logRequest: LogRequest;
  /** The output of the logger. */
  logOutput: Pick<LogOutput, "dropped">;
  /** Undefined if tracing is off. */
  tracing: Tracing | undefined;
  /** Version of the software, shown in the documentation. */
  version: string;
  /** Called with the events of live sources. */
  onLiveMetrics?: (metrics: LiveMetrics) => void;
}

/** The only module of the service. Nest's testing module can import it: see app.test.ts. */
@Module({})
export class AppModule {
  static register(parts: AppParts, metrics?: Metrics, agents?: AgentTools): DynamicModule {
    const { config, database, catalog, keys, logger } = parts;
    return {
      module: AppModule,
      controllers: [
        ...(config.LIVE_SYNC === "only"
          ? []
          : [
              OffersController,
              ProvidersController,
              AccountsController,
              SourcesController,
              HistoryController,
              GpusController,
            ]),
        HealthController,
        ...(metrics === undefined ? [] : [MetricsController]),
        ...(agents === undefined ? [] : [McpController]),
      ],
      providers: [
        { provide: Catalog, useValue: catalog },
        { provide: KeyRing, useValue: keys },
        { provide: Kysely, useValue: database },
        { provide: CatalogAccessRule, useValue: new CatalogAccessRule(config.REQUIRE_API_KEY) },
        ...(metrics === undefined ? [] : [{ provide: Metrics, useValue: metrics }]),
        ...(agents === undefined ? [] : [{ provide: AgentTools, useValue: agents }]),
        { provide: APP_FILTER, useValue: new ErrorFilter(logger) },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_INTERCEPTOR, useClass: NoParametersInterceptor },
        { provide: APP_INTERCEPTOR, useClass: CachingInterceptor },
        { provide: APP_PIPE, useClass: ParametersPipe },
      ],
    };
  }
}

/** Creates Nest's server with the wire in front of it. */
export function createHttpAdapter(parts: AppParts, metrics?: Metrics): FastifyAdapter {
  const { config, catalog, connections } = parts;
  const routes = new Routes();
  const read = (url: string): Representation | undefined => readOfferList(catalog, url);
  const cache = new CatalogResponseCache(catalog, read, config.REQUIRE_API_KEY);
  const wire = new Wire({
    ...parts,
    routes,
    cache,
    metrics: metrics && new RequestMetrics(metrics.registry, connections, cache),
  });
  return createAdapter({ routes, wire });
}

/** Creates the service; it does not listen yet. */
export async function createApp(parts: AppParts): Promise<NestFastifyApplication> {
  const { config, logger, version } = parts;
  const metrics = config.METRICS === "on" ? new Metrics(parts) : undefined;
  // A process that only syncs has just health and metrics.
  const isPublic = config.LIVE_SYNC !== "only";
  const agents =
    config.MCP === "on" && isPublic ? new AgentTools({ ...parts, allowedHosts: config.MCP_ALLOWED_HOSTS }) : undefined;
  if (metrics !== undefined) {
    parts.onLiveMetrics?.(new LiveMetrics(metrics.registry, parts.catalog));
  }
  const adapter = createHttpAdapter(parts, metrics);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(parts, metrics, agents), adapter, {
    logger: new NestLog(logger),
    abortOnError: false,
    bodyParser: false,
  });
  if (isPublic) {
    serveOpenApi(app, version, config.REQUIRE_API_KEY);
  }
  await app.init();
  return app;
}
