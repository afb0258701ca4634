import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { Catalog } from "./catalog/catalog.js";
import type { Config } from "./config.js";
import type { Foundation } from "./foundation.js";
import { VERSIONING, WireAdapter } from "./http/adapter.js";
import { ListingViewCache } from "./listings/listing-view-cache.js";
import { nestLog } from "./log.js";
import { MAX_BODY_BYTES } from "./mcp/mcp.controller.js";
import { serveOpenApi } from "./openapi/document.js";
import { serveWeb, type WebOptions } from "./web/serve-web.js";
import { exchangeOf } from "./wire/exchange.js";
import { ServiceModule, SyncModule } from "./service.module.js";

/** Creates the program that the settings want; it does not listen yet. */
export async function createApp(foundation: Foundation): Promise<NestFastifyApplication> {
  const { config, log, version } = foundation;
  const isPublic = config.LIVE_SYNC !== "only";
  const app = await NestFactory.create<NestFastifyApplication>(
    (isPublic ? ServiceModule : SyncModule).on(foundation),
    new WireAdapter(MAX_BODY_BYTES),
    { logger: nestLog(log.logger), abortOnError: false, bodyParser: false },
  );
  app.enableVersioning(VERSIONING);
  if (isPublic) {
    serveOpenApi(app, foundation);
    serveWeb(app.getHttpAdapter().getInstance(), version, webOptionsOf(app, config));
  }
  return app.init();
}

function webOptionsOf(app: NestFastifyApplication, config: Config): WebOptions | undefined {
  return config.WEB === "off"
    ? undefined
    : {
        catalog: app.get(Catalog),
        views: app.get(ListingViewCache),
        isKeyRequired: config.REQUIRE_API_KEY,
        admit: ({ raw }, units) => exchangeOf(raw).admit(units),
      };
}
