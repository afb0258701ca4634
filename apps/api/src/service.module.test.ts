import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { AccountStore } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { silentLog } from "../test/silent-log.ts";
import { testingApp } from "../test/testing-app.ts";
import { Catalog } from "./catalog/catalog.js";
import { loadSnapshotParts } from "./catalog/load.js";
import { readConfig } from "./config.js";
import { Foundation } from "./foundation.js";

// The service in Nest's testing module, called by inject: without a socket, and so without the wire.

let app: NestFastifyApplication;
let key: string;

beforeAll(async () => {
  const config = readConfig({ DATABASE_URL: `sqlite:${tempDatabase()}` });
  const foundation = await Foundation.create(config, "0.0.0", silentLog(), async () => undefined);
  const { database } = foundation;
  const account = await new AccountStore(database).create({ email: "ada@example.com", displayName: "Ada" });
  ({ key } = await new ApiKeyStore(database).create({ accountId: account?.id ?? "", label: "", expiresAt: null }));
  const catalog = new Catalog({
    database,
    load: () => loadSnapshotParts(database),
    formatVersion: "test",
    logger: foundation.log.logger,
  });
  await catalog.refresh();
  app = await testingApp(foundation, catalog);
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
