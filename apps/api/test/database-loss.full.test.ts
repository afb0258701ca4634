import { Agent } from "node:http";
import { setTimeout } from "node:timers/promises";
import { errorBodySchema } from "@gpu-offers/domain";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAccount, withKey, type TestAccount } from "@gpu-offers/testkit/accounts";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeDocument, nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { createPostgresDatabase, startPostgres, type PostgresServer } from "@gpu-offers/testkit/postgres-server";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { startTcpProxy, type TcpProxy } from "@gpu-offers/testkit/tcp-proxy";

// What callers and operators notice when PostgreSQL is gone, and how quickly the service recovers.

const BACK_MS = 2_000;
const ACCOUNT = "/api/v1/account";
const BALANCE = "/api/v1/account/balance";

let server: PostgresServer;
let database: string;
let service: Service;
let ada: TestAccount;

beforeAll(async () => {
  server = await startPostgres();
  database = await createPostgresDatabase(server.url);
  service = await startService({ databasePath: database });
  ada = await makeAccount(database);
  await adminDone(database, "credit", "add", "--account", ada.id, "--amount", "25", "--reference", "a");
});

afterAll(async () => {
  await service.stop();
  await server.remove();
});

const statusOf = async (at: Service, path: string): Promise<number> =>
  (await fetchFrom(at, path, withKey(ada.key))).status;

/** The catalog is served and the service is ready; only account routes are temporarily unavailable. */
async function expectCatalogAlone(at: Service): Promise<void> {
  for (const path of ["/api/v1/offers?size=100", "/api/v1/providers", "/health/ready"]) {
    expect([path, (await fetchFrom(at, path)).status]).toEqual([path, 200]);
  }
  for (const path of [ACCOUNT, BALANCE]) {
    const response = await fetchFrom(at, path, withKey(ada.key));
    expect([path, response.status]).toEqual([path, 503]);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(errorBodySchema.parse(jsonOf(response))).toMatchObject({
      code: "unavailable",
      message: "The service is unavailable right now; see the Retry-After header.",
    });
  }
}

/** What is made of the catalog is served, pages among them; what is read from the database is unavailable, soon. */
async function expectHistoryUnavailable(at: Service): Promise<void> {
  const { listings } = jsonOf(await fetchFrom(at, "/api/v2/listings?size=1")) as {
    listings: [{ offer: { id: string; gpu: { slug: string } } }];
  };
  const [{ offer }] = listings;
  const { id, gpu } = offer;
  const statuses = new Map([
    ["/", 200],
    [`/?offer=${id}`, 200],
    ["/api/v2/plan?gpu=h100", 200],
    [`/api/v2/listings/${id}/launch?top=3`, 200],
    [`/api/v2/gpus/${gpu.slug}/stock`, 200],
    ["/web/listings.json", 200],
    ["/metrics", 200],
    ["/feed", 503],
    ["/?view=gpus", 503],
    [`/gpus/${gpu.slug}`, 503],
    [`/api/v2/gpus/${gpu.slug}/prices`, 503],
    [`/api/v2/listings/${id}/stock`, 503],
    [`/api/v2/history?offer=${id}`, 503],
  ]);
  const began = performance.now();
  const found = await Promise.all(
    [...statuses.keys()].map(async (path) => {
      const { status, headers } = await fetchFrom(at, path, { headers: { Accept: "text/html" }, agent: new Agent() });
      return [path, status, Number(headers["retry-after"] ?? 0) > 0] as const;
    }),
  );
  expect(found).toEqual([...statuses].map(([path, status]) => [path, status, status === 503]));
  expect(performance.now() - began).toBeLessThan(10_000);
}

/** Number of temporary tables; an import collects its rows in one. */
async function temporaryTables(): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_class where relpersistence = 't' and relkind = 'r'");
  await client.end();
  return rowCount ?? 0;
}

async function expectBackSoon(at: Service): Promise<void> {
  const started = performance.now();
  await expect.poll(() => statusOf(at, BALANCE), { timeout: 10_000, interval: 20 }).toBe(200);
  expect(performance.now() - started).toBeLessThan(BACK_MS);
  expect(jsonOf(await fetchFrom(at, BALANCE, withKey(ada.key)))).toEqual({ balance: "25.0000", currency: "USD" });
  expect(await statusOf(at, ACCOUNT)).toBe(200);
}

async function expectNewCatalogSoon(at: Service, provider: string): Promise<void> {
  const file = nativeFile(nativeRows(2, { provider }));
  await adminDone(database, "catalog", "import", file, "--format", "native");
  const knows = async (): Promise<boolean> => (await fetchFrom(at, "/api/v1/providers")).text.includes(provider);
  await expect.poll(knows, { timeout: 5_000, interval: 50 }).toBe(true);
}

describe("a stopped PostgreSQL", () => {
  test.each(["fast", "immediate", "kill"] as const)("affects only accounts (%s), and recovers at once", async (how) => {
    expect(await statusOf(service, BALANCE)).toBe(200);
    await server.stop(how);
    await expectCatalogAlone(service);
    // Longer than keys are cached.
    await setTimeout(3_200);
    await expectCatalogAlone(service);
    await expectHistoryUnavailable(service);
    await server.start();
    await expectBackSoon(service);
    await expectNewCatalogSoon(service, `after-${how}`);
  });

  test("leads only to 200 and 503 with repeated stops under load", async () => {
    const statuses = new Set<number>();
    const over = new AbortController();
    const readers = [ACCOUNT, BALANCE, ACCOUNT, BALANCE].map(async (path) => {
      while (!over.signal.aborted) {
        statuses.add(await statusOf(service, path));
      }
    });
    const becomes = (status: number): Promise<void> =>
      expect.poll(() => statusOf(service, BALANCE), { timeout: 10_000, interval: 20 }).toBe(status);
    for (let round = 0; round < 3; round++) {
      await server.stop("immediate");
      await becomes(503);
      await server.start();
      await becomes(200);
    }
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (let round = 0; round < 10; round++) {
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()");
      await setTimeout(20);
    }
    await client.end();
    over.abort();
    await Promise.all(readers);
    expect(statuses).toEqual(new Set([200, 503]));
    await expectBackSoon(service);
    expect(service.process.child.exitCode).toBeNull();
  });

  test("is reported to the operator in one line, and prevents a new service from starting", async () => {
    await server.stop();
    for (const args of [
      ["account", "list"],
      ["credit", "add", "--account", ada.id, "--amount", "1", "--reference", "b"],
    ]) {
      const { code, stderr } = await admin(database, ...args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^gpu-offers-admin: cannot open the database [^\n]+\n$/),
      ]);
    }
    await expect(startService({ databasePath: database })).rejects.toThrow(
      /ended with code 1 .*cannot open the database/,
    );
    await server.start();
    await expectBackSoon(service);
  });

  test("leaves the catalog unchanged during an import", async () => {
    const before = (await fetchFrom(service, "/api/v1/offers")).text;
    const text = nativeDocument(nativeRows(3_000, { provider: "halfway" }));
    const importing = startAdmin(database, ["catalog", "import", "-", "--format", "native"], { stdin: "open" });
    importing.child.stdin?.write(text.slice(0, text.length - 100_000));
    await expect.poll(temporaryTables, { timeout: 20_000 }).toBeGreaterThan(0);
    await server.stop("immediate");
    await server.start();
    importing.child.stdin?.end(text.slice(text.length - 100_000));
    const { code, stderr } = await importing.ended;
    expect(stderr).toMatch(/^gpu-offers-admin: the database does not respond: [^\n]+\n$/);
    expect(code).toBe(1);
    await expectBackSoon(service);
    expect((await fetchFrom(service, "/api/v1/offers")).text).toBe(before);
  });
});

describe("a PostgreSQL that does not respond", () => {
  test("because a table is locked affects only accounts, and recovers once it is free", async () => {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    await client.query("begin; lock table ledger_entry, account in access exclusive mode");
    await expectCatalogAlone(service);
    await client.query("rollback");
    await client.end();
    await expectBackSoon(service);
  });

  test("because statements take too long doesn't exceed its connections, and ends each request in time", async () => {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    await client.query("begin; lock table ledger_entry in access exclusive mode");
    const connections = async (): Promise<number> => {
      const { rows } = await client.query<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      return rows[0]?.count ?? 0;
    };
    let most = 0;
    const agent = new Agent({ keepAlive: false });
    const slow = Array.from({ length: 200 }, async () => {
      const started = performance.now();
      const response = await fetchFrom(service, BALANCE, { ...withKey(ada.key), agent });
      return { status: response.status, retryAfter: response.headers["retry-after"], ms: performance.now() - started };
    });
    const watching = setInterval(() => void connections().then((count) => (most = Math.max(most, count))), 200);
    const responses = await Promise.all(slow);
    clearInterval(watching);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect(responses.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(8_000);
    // Ten of the pool, plus those that read catalogs.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(12);
    await client.query("rollback");
    await client.end();
    await expectBackSoon(service);
  });

  test("because the network drops everything affects only accounts, and recovers at once", async () => {
    const proxy: TcpProxy = await startTcpProxy(server.port);
    const url = new URL(database);
    url.port = String(proxy.port);
    const remote = await startService({ databasePath: url.href });
    await expectBackSoon(remote);
    proxy.swallow();
    const started = performance.now();
    await expectCatalogAlone(remote);
    // More callers than connections: none may wait forever.
    const statuses = await Promise.all(Array.from({ length: 30 }, () => statusOf(remote, BALANCE)));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(performance.now() - started).toBeLessThan(15_000);
    await expectHistoryUnavailable(remote);
    proxy.restore();
    await expectBackSoon(remote);
    await expectNewCatalogSoon(remote, "after-silence");
    const { code } = await remote.stop();
    expect(code).toBe(0);
    await proxy.close();
  });
});
