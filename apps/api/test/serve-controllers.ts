import "reflect-metadata";
import type { Type } from "@nestjs/common";
import { Test, type TestingModuleBuilder } from "@nestjs/testing";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { readConfig } from "../src/config.ts";
import { ServiceModule } from "../src/service.module.ts";
import { Foundation } from "../src/foundation.ts";
import { VERSIONING, WireAdapter } from "../src/http/adapter.ts";
import { createLog } from "../src/log.ts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";

/** Serves controllers with all that the service has in front of them. */
export async function serveControllers(
  controllers: Type[],
  settings: Readonly<Record<string, string>>,
  adapt: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
): Promise<{ port: number; close: () => Promise<void> }> {
  const config = readConfig({ ...settings, LOG_LEVEL: "silent" });
  // Otherwise it gets the starter catalog, which takes longer than the tests.
  await storeCatalog(config.DATABASE_URL, nativeRows(1));
  const foundation = await Foundation.create(config, "test", createLog(config, process.stdout), async () => undefined);
  const module = await adapt(
    Test.createTestingModule({ imports: [ServiceModule.on(foundation)], controllers }),
  ).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new WireAdapter(), { logger: false });
  app.enableVersioning(VERSIONING);
  await app.listen(0, "127.0.0.1");
  return { port: Number(new URL(await app.getUrl()).port), close: () => app.close() };
}
