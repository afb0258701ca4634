import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { Catalog } from "./catalog/catalog.js";
import type { Config } from "./config.js";
import type { Foundation } from "./foundation.js";
import { GpuMarketCache } from "./gpus/gpu-market.js";
import { GpuPriceReader } from "./gpus/gpu-prices.js";
import { MarketSummaryReader } from "./gpus/market-summary.js";
import { findCaller } from "./http/access.guard.js";
import { VERSIONING, WireAdapter } from "./http/adapter.js";
import { KeyCache } from "./keys/key-cache.js";
import { ListingViewCache } from "./listings/listing-view.js";
import { nestLog } from "./log.js";
import { serveOpenApi } from "./openapi/document.js";
import { serveWeb, type WebOptions } from "./web/serve-web.js";
import { exchangeOf } from "./wire/exchange.js";
import { ServiceModule } from "./service.module.js";

/** Creates the program that the settings want; it does not listen yet. */
export async function createApp(foundation: Foundation): Promise<NestFastifyApplication> {
  const { config, log, version } = foundation;
  const isPublic = config.LIVE_SYNC !== "only";
  const agents = isPublic && config.MCP === "on" ? (await import("./mcp/mcp.controller.js")).AGENTS : undefined;
  const app = await NestFactory.create<NestFastifyApplication>(
    ServiceModule.on(foundation, agents),
    new WireAdapter(),
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
        markets: app.get(GpuMarketCache),
        prices: app.get(GpuPriceReader),
        summaries: app.get(MarketSummaryReader),
        isKeyRequired: config.REQUIRE_API_KEY,
        hasKey: async (request) => (await findCaller(request, app.get(KeyCache))) !== undefined,
        admit: ({ raw }, units) => exchangeOf(raw).admit(units),
      };
}
