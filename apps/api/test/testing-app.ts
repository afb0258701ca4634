import { Test } from "@nestjs/testing";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { Catalog } from "../src/catalog/catalog.ts";
import type { Foundation } from "../src/foundation.ts";
import { WireAdapter } from "../src/http/adapter.ts";
import { MAX_BODY_BYTES } from "../src/mcp/mcp.controller.ts";
import { serveOpenApi } from "../src/openapi/document.ts";
import { ServiceModule } from "../src/service.module.ts";

/** The service in Nest's testing module, with a catalog of the test's own. It doesn't listen yet. */
export async function testingApp(foundation: Foundation, catalog: Catalog): Promise<NestFastifyApplication> {
  const module = await Test.createTestingModule({ imports: [ServiceModule.on(foundation)] })
    .overrideProvider(Catalog)
    .useValue(catalog)
    .compile();
  const adapter = new WireAdapter(MAX_BODY_BYTES);
  const app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: false });
  serveOpenApi(app, foundation);
  return app;
}
