import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import type { Foundation } from "./foundation.js";
import { WireAdapter } from "./http/adapter.js";
import { NestLog } from "./log.js";
import { MAX_BODY_BYTES } from "./mcp/mcp.controller.js";
import { serveOpenApi } from "./openapi/document.js";
import { ClientAddress } from "./wire/client-address.js";
import { ServiceModule, SyncModule } from "./service.module.js";

/** Creates the program that the settings want; it does not listen yet. */
export async function createApp(foundation: Foundation): Promise<NestFastifyApplication> {
  const { config, log, version } = foundation;
  const isPublic = config.LIVE_SYNC !== "only";
  const app = await NestFactory.create<NestFastifyApplication>(
    (isPublic ? ServiceModule : SyncModule).on(foundation),
    new WireAdapter(MAX_BODY_BYTES),
    { logger: new NestLog(log.logger), abortOnError: false, bodyParser: false },
  );
  if (isPublic) {
    serveOpenApi(app, version, config.REQUIRE_API_KEY, new ClientAddress(config.TRUST_PROXY));
  }
  return app.init();
}
