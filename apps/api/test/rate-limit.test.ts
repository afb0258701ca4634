import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf, type HttpRequest } from "@gpu-offers/testkit/http";
import { exchange, firstResponse } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";

const LIMIT = 5;

describe(`a service with RATE_LIMIT=${LIMIT}`, () => {
  let service: Service;
  const from = (address: string, headers: Record<string, string> = {}) => ({
    headers: { "X-Forwarded-For": address, ...headers },
  });

  beforeAll(async () => {
    service = await startService({ settings: { RATE_LIMIT: String(LIMIT), TRUST_PROXY: "127.0.0.1" } });
  });
  afterAll(() => service.stop());

  test.for([
    ["/api/v1/providers", 200, "192.0.2.1"],
    ["/api/v1/offers", 200, "192.0.2.31"],
    ["/api/v1/offers?size=0", 400, "192.0.2.32"],
  ] as const)("counts down for %s, and then responds with 429 and Retry-After", async ([path, status, address]) => {
    for (let left = LIMIT - 1; left >= 0; left--) {
      const response = await fetchFrom(service, path, from(address));
      expect(response.status).toBe(status);
      expect(response.headers["ratelimit-remaining"]).toBe(String(left));
      expect(response.headers["ratelimit-limit"]).toBe(String(LIMIT));
    }
    const rejected = await fetchFrom(service, path, from(address));
    expect(rejected.status).toBe(429);
    expect(jsonOf(rejected)).toMatchObject({ code: "rate_limited", requestId: rejected.headers["x-request-id"] });
    expect(Number(rejected.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(rejected.headers["retry-after"])).toBeLessThanOrEqual(60);
  });

  test("counts each address separately, and an IPv6 network as one", async () => {
    expect((await fetchFrom(service, "/api/v1/providers", from("192.0.2.2"))).status).toBe(200);
    for (let host = 1; host <= LIMIT; host++) {
      await fetchFrom(service, "/api/v1/providers", from(`2001:db8::${host}`));
    }
    expect((await fetchFrom(service, "/api/v1/providers", from("2001:db8::ff"))).status).toBe(429);
    expect((await fetchFrom(service, "/api/v1/providers", from("2001:db8:0:1::1"))).status).toBe(200);
  });

  test("counts requests of the page", async () => {
    const request = () => fetchFrom(service, "/web/listings.json", from("192.0.2.9"));
    expect((await request()).status).toBe(200);
    for (let count = 1; count < LIMIT; count++) {
      await request();
    }
    expect((await request()).status).toBe(429);
  });

  test("counts invalid requests too, before it checks a key", async () => {
    for (let count = 0; count < LIMIT; count++) {
      const response = await fetchFrom(service, "/api/v1/account?x=1", from("192.0.2.3"));
      expect(response.status).toBe(401);
    }
    expect((await fetchFrom(service, "/api/v1/account", from("192.0.2.3"))).status).toBe(429);
  });

  test("counts a valid key separately from its address, and made-up keys by their address", async () => {
    await adminDone(service.databasePath, "account", "create", "--email", "ada@example.com", "--name", "Ada");
    const made = await adminDone(service.databasePath, "key", "create", "--account", "ada@example.com", "--json");
    const { key } = JSON.parse(made.stdout) as { key: string };
    const statuses: number[] = [];
    // The first request verifies the key and is counted for its address; the next ones are counted for the key.
    for (let count = 0; count < LIMIT + 2; count++) {
      const request = from(`198.51.100.${count}`, { Authorization: `Bearer ${key}` });
      statuses.push((await fetchFrom(service, "/api/v1/account/balance", request)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: LIMIT + 1 }, () => 200), 429]);
    for (let count = 0; count < LIMIT; count++) {
      const request = from("192.0.2.4", { Authorization: `Bearer gpo_${String(count).padStart(36, "0")}` });
      expect((await fetchFrom(service, "/api/v1/account", request)).status).toBe(401);
    }
    expect((await fetchFrom(service, "/api/v1/account", from("192.0.2.4"))).status).toBe(429);
  });

  test("counts whole URLs as their paths", async () => {
    const request = `GET http://x/api/v1/providers HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\nConnection: close\r\n\r\n`;
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count <= LIMIT; count++) {
      statuses.push(firstResponse(await exchange(service, request))?.status);
    }
    expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 200), 429]);
  });

  test.for(["/api/v2/sources", "/api/v2/history?offer=00000000-0000-5000-8000-000000000000"])(
    "counts %s too",
    async (path) => {
      const address = from(`203.0.113.${path.length}`);
      for (let left = LIMIT - 1; left >= 0; left--) {
        expect((await fetchFrom(service, path, address)).headers["ratelimit-remaining"]).toBe(String(left));
      }
      expect((await fetchFrom(service, path, address)).status).toBe(429);
    },
  );

  test("takes the units of a list before it is sent, also if several are requested at once", async () => {
    const headers = { Accept: "application/x-ndjson", "X-Forwarded-For": "192.0.2.8" };
    const lists = Array.from({ length: LIMIT }, (_, number) =>
      fetchFrom(service, `/api/v2/listings?max_hourly=${1_000 + number}`, { headers }),
    );
    const statuses = (await Promise.all(lists)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // The page is charged like the list, and says it to a browser.
    const browser = from("192.0.2.8", { Accept: "text/html" });
    const page = await fetchFrom(service, "/?max_price=5", browser);
    expect([page.status, page.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
  });

  test("charges an expensive search more than a page of offers, and gives back what it didn't need", async () => {
    const usual = await startService({ settings: { MCP: "on", TRUST_PROXY: "127.0.0.1" } });
    const left = async (path: string, address: string, request: HttpRequest = {}): Promise<number> => {
      const headers = { ...request.headers, "X-Forwarded-For": address };
      return 600 - Number((await fetchFrom(usual, path, { ...request, headers })).headers["ratelimit-remaining"]);
    };
    const search = Array.from({ length: 20 }, (_, index) => `zq${index}vk`).join("+");
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const json = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    expect(await left("/api/v1/offers", "192.0.2.1")).toBe(1);
    expect(await left(`/api/v2/listings?q=${search}`, "192.0.2.2")).toBeGreaterThanOrEqual(20);
    expect(await left("/mcp", "192.0.2.3", { method: "POST", headers: json, body })).toBe(10);
    expect(await left("/metrics", "192.0.2.4")).toBeGreaterThan(1);
    expect(await left("/api/v2/listings?max_price=x", "192.0.2.5")).toBe(1);
    // Each GPU of a page costs what its prices do, and several offers of a plan cost more than one.
    const page = { headers: { Accept: "text/html" } };
    expect(await left("/?view=gpus&gpu=h100,a100,l40s", "192.0.2.6", page)).toBeGreaterThanOrEqual(40);
    expect(await left("/api/v2/plan?gpu=h100&top=5", "192.0.2.7")).toBeGreaterThan(
      await left("/api/v2/plan?gpu=h100", "192.0.2.8"),
    );
    await usual.stop();
  });

  test("limits callers on the same machine only if a proxy forwarded the request", async () => {
    for (let count = 0; count < LIMIT * 2; count++) {
      const { status, headers } = await fetchFrom(service, "/api/v1/providers");
      expect([status, headers["ratelimit-limit"]]).toEqual([200, undefined]);
    }
    for (const header of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]) {
      const response = await fetchFrom(service, "/api/v1/providers", { headers: { [header]: "127.0.0.1" } });
      expect([header, response.headers["ratelimit-limit"]]).toEqual([header, String(LIMIT)]);
    }
  });

  test("is limited to 600 units a minute unless told otherwise", async () => {
    const response = await fetchFrom(inject("service"), "/api/v1/providers", from("192.0.2.1"));
    expect(response.headers["ratelimit-limit"]).toBe("600");
  });

  test("leaves health checks alone", async () => {
    for (let count = 0; count < LIMIT * 2; count++) {
      expect((await fetchFrom(service, "/health/ready", from("192.0.2.5"))).status).toBe(200);
    }
  });
});
