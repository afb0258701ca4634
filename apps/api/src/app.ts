import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import type { Foundation } from "./foundation.js";
import { VERSIONING, WireAdapter } from "./http/adapter.js";
import { nestLog } from "./log.js";
import { serveOpenApi } from "./openapi/document.js";
import { ServiceModule } from "./service.module.js";

/** Creates the program that the settings want; it does not listen yet. */
export async function createApp(foundation: Foundation): Promise<NestFastifyApplication> {
  const { config, log } = foundation;
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
  }
  return app.init();
}
