import "reflect-metadata";
import { Module, type DynamicModule } from "@nestjs/common";
import { APP_FILTER, APP_GUARD, APP_PIPE, NestFactory, Reflector } from "@nestjs/core";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import type { Logger } from "pino";
import { AccountsController, DATABASE } from "./accounts/accounts.controller.js";
import type { KeyRing } from "./accounts/key-ring.js";
import { CATALOG_ANSWERS, CatalogAnswers } from "./catalog/catalog-answers.js";
import type { Catalog } from "./catalog/catalog.js";
import type { Config } from "./config.js";
import { HealthController } from "./health/health.controller.js";
import { AccessGuard } from "./http/access.guard.js";
import type { Connections } from "./http/connections.js";
import { ErrorFilter } from "./http/error.filter.js";
import { ParametersPipe } from "./http/parameters.pipe.js";
import { limitRates } from "./http/rate-limit.js";
import { createAdapter } from "./http/server.js";
import { NestLog } from "./log.js";
import { MetricsController } from "./metrics/metrics.controller.js";
import { Metrics } from "./metrics/metrics.js";
import { OffersController } from "./offers/offers.controller.js";
import { serveOpenApi } from "./openapi/document.js";
import { ProvidersController } from "./providers/providers.controller.js";
import type { Database } from "./store/database.js";
import type { Tracing } from "./tracing.js";

/** What the service is put together from. */
export interface AppParts {
  config: Config;
  database: Database;
  catalog: Catalog;
  keys: KeyRing;
  connections: Connections;
  logger: Logger;
  /** Undefined when nobody traces. */
  tracing: Tracing | undefined;
  /** Version of the software, as the documentation states it. */
  version: string;
}

/** The one module of the service. */
@Module({})
class AppModule {
  static of({ config, database, catalog, keys, logger }: AppParts, metrics: Metrics | undefined): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        OffersController,
        ProvidersController,
        AccountsController,
        HealthController,
        ...(metrics === undefined ? [] : [MetricsController]),
      ],
      providers: [
        { provide: Metrics, useValue: metrics },
        { provide: DATABASE, useValue: database },
        { provide: CATALOG_ANSWERS, useValue: new CatalogAnswers(catalog, config.REQUIRE_API_KEY) },
        { provide: APP_FILTER, useValue: new ErrorFilter(logger) },
        { provide: APP_PIPE, useValue: new ParametersPipe() },
        {
          provide: APP_GUARD,
          inject: [Reflector],
          useFactory: (reflector: Reflector) => new AccessGuard(reflector, keys, config.REQUIRE_API_KEY),
        },
      ],
    };
  }
}

/** Creates the service; it does not listen yet. */
export async function createApp(parts: AppParts): Promise<NestFastifyApplication> {
  const { config, keys, logger, version } = parts;
  const metrics = config.METRICS === "on" ? new Metrics(parts) : undefined;
  const adapter = createAdapter({ ...parts, metrics });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(parts, metrics), adapter, {
    logger: new NestLog(logger),
    abortOnError: false,
    bodyParser: false,
  });
  if (config.RATE_LIMIT !== undefined) {
    await limitRates(app, config.RATE_LIMIT, keys);
  }
  serveOpenApi(app, version, config.REQUIRE_API_KEY);
  await app.init();
  return app;
}
