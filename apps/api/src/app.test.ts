import { Test } from "@nestjs/testing";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { open } from "@gpu-offers/store/test/databases";
import { AppModule, createHttpAdapter, type AppParts } from "./app.js";
import { Catalog } from "./catalog/catalog.js";
import { loadSnapshotParts } from "./catalog/load.js";
import { seedStarterCatalog } from "./catalog/starter.js";
import { readConfig } from "./config.js";
import { KeyRing } from "./keys/key-ring.js";
import { createAccount } from "@gpu-offers/store/account.store";
import { createApiKey } from "@gpu-offers/store/api-key.store";
import { Connections } from "./wire/connections.js";

// The service in Nest's testing module, called by inject: without a socket, and so without the wire.

let app: NestFastifyApplication;
let key: string;

beforeAll(async () => {
  const database = await open(`sqlite:${tempDatabase()}`);
  await seedStarterCatalog(database);
  const account = await createAccount(database, { email: "ada@example.com", displayName: "Ada" });
  ({ key } = await createApiKey(database, { accountId: account?.id ?? "", label: "", expiresAt: null }));
  const logger = pino({ level: "silent" });
  const load = () => loadSnapshotParts(database);
  const catalog = new Catalog({ database, load, formatVersion: "test", logger });
  await catalog.refresh();
  const parts: AppParts = {
    config: readConfig({}),
    database,
    catalog,
    keys: new KeyRing(database, logger),
    connections: new Connections(),
    logger,
    logRequest: () => {},
    logOutput: { dropped: 0 },
    tracing: undefined,
    version: "0.0.0",
  };
  const module = await Test.createTestingModule({ imports: [AppModule.register(parts)] }).compile();
  app = module.createNestApplication<NestFastifyApplication>(createHttpAdapter(parts), { logger: false });
  await app.init();
});

afterAll(() => app.close());

test("operations of the catalog respond, with their caching headers", async () => {
  const response = await app.inject("/api/v1/offers?size=1");
  expect([response.statusCode, response.headers["cache-control"]]).toEqual([200, "public, no-cache"]);
  expect(response.json<{ offers: unknown[] }>().offers).toHaveLength(1);
  const headers = { "if-none-match": String(response.headers.etag) };
  expect((await app.inject({ url: "/api/v1/offers?size=1", headers })).statusCode).toBe(304);
});

test("the guard checks the key on its own", async () => {
  const url = "/api/v1/account";
  expect((await app.inject(url)).statusCode).toBe(401);
  const response = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
  expect(response.json()).toMatchObject({ email: "ada@example.com" });
});

test.for(["/api/v1/offers?size=0", "/api/v1/providers?page=1", "/health/live?x"])(
  "parameters are checked: %s",
  async (url) => {
    const response = await app.inject(url);
    expect([response.statusCode, response.json()]).toMatchObject([400, { code: "invalid_parameter" }]);
  },
);

test("an unknown path gives the documented error body", async () => {
  const response = await app.inject("/nothing");
  expect([response.statusCode, response.json()]).toMatchObject([404, { code: "not_found" }]);
});
