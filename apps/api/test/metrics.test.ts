import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { withKey } from "@gpu-offers/testkit/accounts";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { exchange, openSocket } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { removeProvider } from "@gpu-offers/store/catalog-removal";
import { addCredit, makeAccount } from "@gpu-offers/store/test/accounts";
import { withDatabase } from "@gpu-offers/store/test/databases";

/** With prices. */
let shared: Service;
beforeAll(async () => {
  shared = await startService({ settings: { LOG_LEVEL: "silent", PRICE_METRICS: "on" } });
});

/** Samples of the text format: `name{labels}` to value. */
async function scrape(service: { port: number }): Promise<Map<string, number>> {
  const { status, text, headers } = await fetchFrom(service, "/metrics");
  expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "no-store",
  ]);
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

const requests = (route: string, status: number): string =>
  `gpu_offers_http_requests_total{route="${route}",status="${status}"}`;

describe("the metrics", () => {
  test("count requests by route pattern and status, without paths, keys or addresses", async () => {
    const service = await startService({ settings: { RATE_LIMIT: "10", CORS_ORIGINS: "*" } });
    const account = await makeAccount(service.databasePath);
    const secret = account.key.slice("gpo_".length);
    for (let request = 0; request < 10; request++) {
      await fetchFrom(service, `/api/v1/offers/unknown-${request}?`);
      await fetchFrom(service, `/made-up/${account.key}/${request}`);
      await fetchFrom(service, "/api/v1/account", withKey(`gpo_${request}`));
    }
    await fetchFrom(service, "/api/v1/account", withKey(account.key));
    await fetchFrom(service, "/api/v1/account", { ...withKey(account.key), method: "PUT" });
    await fetchFrom(service, "/%zz");
    await exchange(service, `\0${account.key}\r\n\r\n`);
    for (let request = 0; request < 15; request++) {
      await fetchFrom(service, `/api/v1/providers?key=${account.key}`, { headers: { Via: "1.1 proxy" } });
    }
    const samples = await scrape(service);
    expect(Object.fromEntries(samples)).toMatchObject({
      [requests("/api/v1/offers/:id", 404)]: 10,
      [requests("unmatched", 404)]: 10,
      [requests("unmatched", 405)]: 1,
      [requests("unmatched", 400)]: 1,
      [requests("/api/v1/account", 401)]: 10,
      [requests("/api/v1/account", 200)]: 1,
      [requests("/api/v1/providers", 429)]: expect.any(Number),
      'gpu_offers_http_rejected_total{status="400"}': 1,
      'gpu_offers_http_request_duration_seconds_count{route="/api/v1/offers/:id"}': 10,
      gpu_offers_http_requests_in_flight: 1,
    });
    const { text } = await fetchFrom(service, "/metrics");
    for (const told of [secret, account.email, account.id, account.keyId, "made-up", "unknown-"]) {
      expect(text).not.toContain(told);
    }
    expect((text.match(/^gpu_offers_/gm) ?? []).length).toBeLessThan(200);
  });

  test("cover the catalog, the database, the ledger and the process", async () => {
    const service = shared;
    const before = await scrape(service);
    expect(before.get("gpu_offers_catalog_offers")).toBeGreaterThan(100);
    expect(before.get("gpu_offers_catalog_providers")).toBeGreaterThan(10);
    expect(before.get("gpu_offers_catalog_revision")).toBe(1);
    expect(before.get("gpu_offers_catalog_age_seconds")).toBeGreaterThan(0);
    expect(before.get("gpu_offers_database_up")).toBe(1);
    expect(Date.now() / 1_000 - (before.get("gpu_offers_database_last_response_timestamp_seconds") ?? 0)).toBeLessThan(
      10,
    );
    expect(before.has("gpu_offers_ledger_last_entry_number")).toBe(false);
    expect(before.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
    expect(before.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
    const { id } = await makeAccount(service.databasePath);
    await addCredit(service.databasePath, id, "5", "r-1");
    await withDatabase(service.databasePath, (database) => removeProvider(database, "aws", "test"));
    await vi.waitFor(async () => expect((await scrape(service)).get("gpu_offers_ledger_last_entry_number")).toBe(1), {
      timeout: 20_000,
      interval: 500,
    });
    const after = await scrape(service);
    expect(Date.now() / 1_000 - (after.get("gpu_offers_ledger_last_entry_timestamp_seconds") ?? 0)).toBeLessThan(60);
    expect(after.get("gpu_offers_catalog_revision")).toBe(2);
    expect(after.get("gpu_offers_catalog_providers")).toBe((before.get("gpu_offers_catalog_providers") ?? 0) - 1);
  });

  test("do not grow with arbitrary requests", async () => {
    const askAround = async (): Promise<number> => {
      for (let request = 0; request < 200; request++) {
        await fetchFrom(shared, `/${Math.random()}/${request}`);
        await fetchFrom(shared, `/api/v1/offers/${Math.random()}?a${request}=1`);
      }
      // Node's own kinds of garbage collection appear when there is one.
      return [...(await scrape(shared)).keys()].filter((series) => series.startsWith("gpu_offers_")).length;
    };
    await scrape(shared);
    const before = await askAround();
    expect(await askAround()).toBe(before);
  });

  test("count open connections", async () => {
    const before = (await scrape(shared)).get("gpu_offers_http_connections_open") ?? 0;
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(shared)));
    await expect
      .poll(async () => (await scrape(shared)).get("gpu_offers_http_connections_open"))
      .toBe(before + sockets.length);
    for (const socket of sockets) {
      socket.destroy();
    }
    await expect.poll(async () => (await scrape(shared)).get("gpu_offers_http_connections_open")).toBe(before);
  });
});

test("docs/observability.md lists exactly our own metrics", async () => {
  const { text } = await fetchFrom(shared, "/metrics");
  const real = [...text.matchAll(/^# TYPE (gpu_offers_\w+)/gm)].map(([, name = ""]) => name);
  const page = readFileSync(new URL("../../../docs/observability.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| `(gpu_offers_\w+)` +\|/gm)].map(([, name = ""]) => name);
  expect(documented.sort()).toEqual(real.sort());
});

test("prices are only served on request: the lowest and the median one, and the offers, of each family", async () => {
  const usual = await scrape(inject("service"));
  expect([...usual.keys()].filter((name) => name.startsWith("gpu_offers_price"))).toEqual([]);
  const samples = await scrape(shared);
  const least = samples.get('gpu_offers_price_usd{family="h100",stat="min"}') ?? 0;
  expect(least).toBeGreaterThan(0);
  expect(samples.get('gpu_offers_price_usd{family="h100",stat="median"}')).toBeGreaterThanOrEqual(least);
  expect(samples.get('gpu_offers_rentable_offers{family="h100"}')).toBeGreaterThan(10);
  expect(samples.has('gpu_offers_price_usd{family="h100-sxm",stat="min"}')).toBe(false);
});
