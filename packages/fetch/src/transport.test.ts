import type { LiveRequest } from "@gpu-offers/sources";
import { json, startReplay } from "@gpu-offers/testkit/replay-server";
import { afterEach, describe, expect, test } from "vitest";
import { isPublicAddress } from "./addresses.js";
import { QUICK_LIMITS } from "@gpu-offers/testkit/live-source";
import { Transport, type TransportOptions } from "./transport.js";

const opened: Transport[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function transport(changes: Partial<TransportOptions> = {}): Transport {
  const made = new Transport({
    hosts: ["api.example"],
    maxBytes: 1024 * 1024,
    spacingMs: 0,
    allowPrivate: true,
    userAgent: "gpu-offers/test",
    limits: QUICK_LIMITS,
    ...changes,
  });
  opened.push(made);
  return made;
}

const get = (url = "https://api.example/offers", headers: Record<string, string> = {}): LiveRequest => ({
  part: "offers",
  main: true,
  method: "GET",
  url,
  headers,
});

describe("a request", () => {
  test("is retried after a temporary failure, and not after a permanent one", async () => {
    let left = 2;
    const server = await startReplay(() => (left-- > 0 ? { status: 503 } : json([1])));
    const { status, body } = await transport({ base: server.url }).send(get());
    expect([status, Buffer.from(body).toString("utf8"), server.requests.length]).toEqual([200, "[1]", 3]);
    server.respond(() => ({ status: 404 }));
    await expect(transport({ base: server.url }).send(get())).rejects.toMatchObject({
      code: "http_error",
      status: 404,
    });
    expect(server.requests).toHaveLength(4);
  });

  test("waits as long as the server requests, unless that is too long for one run", async () => {
    const server = await startReplay(() => ({ status: 429, headers: { "retry-after": "600" }, body: "too frequent" }));
    await expect(transport({ base: server.url }).send(get())).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterMs: 600_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("goes to a host that cannot be resolved only until its retries have failed", async () => {
    const looked: string[] = [];
    const offline = transport({
      allowPrivate: false,
      hosts: ["api.example", "other.example"],
      resolve: (host) => {
        looked.push(host);
        return Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }));
      },
    });
    for (const host of ["api.example", "api.example", "other.example"]) {
      await expect(offline.send(get(`https://${host}/`))).rejects.toMatchObject({ code: "dns" });
    }
    expect(looked).toEqual([...Array(3).fill("api.example"), ...Array(3).fill("other.example")]);
  });

  test("goes only to https, only to its own hosts, and to no private address", async () => {
    const strict = transport({
      allowPrivate: false,
      hosts: ["api.example", "127.0.0.1", "[::ffff:7f00:1]", "169.254.169.254"],
    });
    await expect(strict.send(get("http://api.example/"))).rejects.toMatchObject({ code: "not_https" });
    await expect(strict.send(get("https://elsewhere.example/"))).rejects.toMatchObject({ code: "foreign_host" });
    for (const host of ["127.0.0.1", "[::ffff:7f00:1]", "169.254.169.254"]) {
      await expect(strict.send(get(`https://${host}/`))).rejects.toMatchObject({ code: "private_address" });
    }
  });

  test("goes to no name that resolves to a private address, at the first lookup or a later one", async () => {
    const looked: string[] = [];
    const rebinding = transport({
      allowPrivate: false,
      resolve: async (host) => {
        looked.push(host);
        return [{ address: looked.length === 1 ? "203.0.113.9" : "127.0.0.1", family: 4 }];
      },
    });
    // 203.0.113.0/24 is reserved for documentation, so it is not a public address either.
    await expect(rebinding.send(get())).rejects.toMatchObject({ code: "private_address" });
    await expect(rebinding.send(get())).rejects.toMatchObject({ code: "private_address" });
    const mixed = transport({
      allowPrivate: false,
      resolve: async () => [
        { address: "8.8.8.8", family: 4 },
        { address: "10.0.0.1", family: 4 },
      ],
    });
    await expect(mixed.send(get())).rejects.toMatchObject({ code: "private_address" });
  });

  test("resolves names for each connection, so a valid first lookup does not cover a later one", async () => {
    const addresses = ["8.8.8.8", "127.0.0.1"];
    const looked: string[] = [];
    const sending = transport({
      allowPrivate: false,
      limits: { ...QUICK_LIMITS, connectMs: 300, attempts: 3 },
      resolve: async () => {
        const address = addresses[looked.length] ?? "127.0.0.1";
        looked.push(address);
        return [{ address, family: 4 }];
      },
    });
    // Nothing at the first address serves this request, so it is retried; the second lookup ends it.
    await expect(sending.send(get())).rejects.toMatchObject({ code: "private_address" });
    expect(looked).toEqual(addresses);
  });

  test("sends its key to no other host", async () => {
    const other = await startReplay(() => json(["other"]));
    const server = await startReplay(() => ({ status: 302, headers: { location: `${other.url}/elsewhere` } }));
    const sent = transport({ base: server.url, hosts: ["127.0.0.1"] });
    await sent.send(get("https://api.example/offers", { authorization: "Bearer canary", "x-api-key": "canary" }));
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer canary", "x-api-key": "canary" });
    expect(JSON.stringify(other.requests[0]?.headers)).not.toContain("canary");
  });

  test("reports what went wrong without URL, host or key", async () => {
    const server = await startReplay(() => ({ problem: "reset" }));
    const failure = await transport({ base: server.url })
      .send(get("https://api.example/offers?key=canary", { authorization: "Bearer canary" }))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "network" });
    expect(String(failure)).not.toMatch(/canary|example|127\.0\.0\.1/);
  });

  test("keeps the minimum interval to the previous one", async () => {
    const server = await startReplay(() => json([]));
    const spaced = transport({ base: server.url, spacingMs: 150 });
    await spaced.send(get("https://api.example/1"));
    await spaced.send(get("https://api.example/2"));
    const [first, second] = server.requests.map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(100);
  });
});

test("public addresses are recognized in any notation", () => {
  for (const address of ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"]) {
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
  }
  for (const address of [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "::127.0.0.1",
    "::8.8.8.8",
    "4000::1",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.1",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "no address",
  ]) {
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
  }
});
