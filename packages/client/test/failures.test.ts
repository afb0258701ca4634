import { describe, expect, test, vi } from "vitest";
import { createClient } from "../src/index.ts";
import { clientOf, list, failure } from "./client.ts";
import { freeUrl, sendError, sendJson } from "@gpu-offers/testkit/http-server";

// Failures between a client and the service, with real servers.

describe("a response that does not match the API", () => {
  const web = "<!doctype html><title>Welcome</title>";
  const json = JSON.stringify(list);

  test.for([
    ["a web page", web, "is not JSON but looks like a web page"],
    ["nothing", "", "is not JSON"],
    ["broken JSON", json.slice(0, -2), "is not JSON"],
    ["a bare list", "[]", "does not match the API: body: Invalid input: expected object, received array"],
    [
      "a price in words",
      json.replace('"priceHourly":1,', '"priceHourly":"1",'),
      "does not match the API: offers.0.priceHourly: Invalid input: expected number, received string",
    ],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), "is not UTF-8"],
    ["a truncated character", Buffer.from([0x22, 0xc3]), "is not UTF-8"],
  ] as const)("is a ResponseError: %s", async ([, body, problem]) => {
    const { server, client } = await clientOf((response) => response.end(body), { retries: 2 });
    const error = await failure("response", client.listOffers());
    expect(error).toMatchObject({ name: "ResponseError", status: 200, url: `${server.url}/api/v1/offers`, problem });
    expect(error.message).toBe(`The response from ${server.url}/api/v1/offers (status 200) ${problem}.`);
    expect(server.requests).toHaveLength(1);
  });

  test.for([404, 500, 502] as const)("is a ResponseError with its status: a web page with %i", async (status) => {
    const { client } = await clientOf((response) => response.writeHead(status, { "Retry-After": "3" }).end(web));
    expect(await failure("response", client.listProviders())).toMatchObject({ status, retryAfterMs: 3_000 });
  });

  test.for([201, 204, 206, 304] as const)("is a ResponseError: an unexpected status %i", async (status) => {
    const { client } = await clientOf((response) => response.writeHead(status).end());
    const problem = "has a status that the API does not define";
    expect(await failure("response", client.listProviders())).toMatchObject({ status, problem });
  });

  test("is a ResponseError: an endless body, which is read only up to the limit", async () => {
    const { server, client } = await clientOf((response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) {}
      };
      response.on("drain", more);
      more();
    });
    expect(await failure("response", client.listOffers())).toMatchObject({ problem: "is larger than 8388608 bytes" });
    await server.closes[0];
  });

  test("is read despite unknown additions", async () => {
    const [offer] = list.offers;
    const novel = { ...offer, deploymentType: "orbital", interconnect: { gbps: 3200 }, color: "green" };
    const { client } = await clientOf((response) => sendJson(response, novel));
    const { color: _, ...known } = novel;
    expect(await client.getOffer(novel.id ?? "")).toEqual(known);
  });
});

describe("no connection", () => {
  test("is a ConnectionError with the reason: rejected", async () => {
    const baseUrl = await freeUrl();
    const error = await failure("connection", createClient({ baseUrl, retries: 0 }).listOffers());
    expect(error.message).toBe(`No response from ${baseUrl}: connect ECONNREFUSED ${baseUrl.slice("http://".length)}.`);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test("is a ConnectionError: reset before a response", async () => {
    const { client } = await clientOf((response) => response.socket?.resetAndDestroy());
    expect(await failure("connection", client.listOffers())).toHaveProperty("cause");
  });

  test.for([
    ["with a length", { "Content-Length": "1000" }],
    ["in chunks", { "Transfer-Encoding": "chunked" }],
  ] as const)("is a ConnectionError: a truncated body, %s", async ([, headers]) => {
    const { client } = await clientOf((response) => {
      response.writeHead(200, headers).write('{"offers":[', () => response.socket?.destroy());
    });
    await failure("connection", client.listOffers());
  });

  test("is a ConnectionError: a custom fetch error", async () => {
    const client = createClient({
      baseUrl: "http://offers.example",
      retries: 0,
      fetch: () => Promise.reject(Object.assign(new AggregateError([]), { code: "ENETUNREACH" })),
    });
    const error = await failure("connection", client.listOffers());
    expect(error.message).toBe("No response from http://offers.example: ENETUNREACH.");
  });

  test("is retried, and may succeed", async () => {
    const { server, client } = await clientOf(
      (response, _, number) => (number < 3 ? response.socket?.resetAndDestroy() : sendJson(response, list)),
      { retries: 2 },
    );
    expect(await client.listOffers()).toEqual(list);
    expect(server.requests).toHaveLength(3);
  });
});

describe("a timeout", () => {
  test("is a TimeoutError: no header comes", async () => {
    const { server, client } = await clientOf(() => {}, { timeoutMs: 50, retries: 1 });
    const error = await failure("timeout", client.listOffers());
    expect(error).toMatchObject({ timeoutMs: 50, message: `No complete response from ${server.url} within 50 ms.` });
    expect(server.requests).toHaveLength(2);
  });

  test("is a TimeoutError: the body stops midway", async () => {
    const { client } = await clientOf((response) => response.write('{"offers":['), { timeoutMs: 50 });
    await failure("timeout", client.listOffers());
  });

  test("is a TimeoutError: the body drips", async () => {
    const { client } = await clientOf(
      (response) => {
        const drip = setInterval(() => response.write(" "), 5);
        response.on("close", () => clearInterval(drip));
      },
      { timeoutMs: 100 },
    );
    await failure("timeout", client.listOffers());
  });

  test("is a TimeoutError: a fetch that ignores its signal", async () => {
    const client = createClient({
      baseUrl: "http://offers.example",
      retries: 0,
      timeoutMs: 20,
      fetch: () => new Promise(() => {}),
    });
    await failure("timeout", client.listOffers());
  });

  test("leaves no timer behind if the response arrives in time", async () => {
    const set = vi.spyOn(globalThis, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    const { client } = await clientOf((response) => sendJson(response, list), { timeoutMs: 98_765 });
    await client.listOffers();
    const call = set.mock.calls.findIndex(([, delayMs]) => delayMs === 98_765);
    expect(cleared).toHaveBeenCalledWith(set.mock.results[call]?.value);
    vi.restoreAllMocks();
  });

  test("ends its request", async () => {
    const { server, client } = await clientOf(() => {}, { timeoutMs: 50 });
    await failure("timeout", client.listOffers());
    await server.closes[0];
  });
});

describe("a temporary error", () => {
  test.for([429, 502, 503, 504] as const)("is retried: %i", async (status) => {
    const { server, client } = await clientOf(
      (response, _, number) => (number === 1 ? sendError(response, status) : sendJson(response, list)),
      { retries: 1 },
    );
    expect(await client.listOffers()).toEqual(list);
    expect(server.requests).toHaveLength(2);
  });

  test.for([400, 401, 404, 500] as const)("is not: %i", async (status) => {
    const { server, client } = await clientOf((response) => sendError(response, status), { retries: 2 });
    expect(await failure("service", client.listOffers())).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test("is thrown once the retries are used up", async () => {
    const { server, client } = await clientOf((response) => sendError(response, 503), { retries: 2 });
    expect(await failure("service", client.listOffers())).toMatchObject({
      status: 503,
      code: "unavailable",
      message: "Not now.",
      details: [],
      requestId: "r-1",
      retryAfterMs: undefined,
    });
    expect(server.requests).toHaveLength(3);
  });

  test.for([
    ["seconds", { "Retry-After": "1" }],
    // The response's own clock counts, not this machine's.
    ["a date", { Date: "Wed, 01 Jan 2020 00:00:00 GMT", "Retry-After": "Wed, 01 Jan 2020 00:00:01 GMT" }],
  ] as const)("is retried no sooner than stated, in %s", async ([, headers]) => {
    const timesMs: number[] = [];
    const { client } = await clientOf(
      (response, _, number) => {
        timesMs.push(performance.now());
        return number === 1 ? sendError(response, 429, headers) : sendJson(response, list);
      },
      { retries: 1 },
    );
    expect(await client.listOffers()).toEqual(list);
    const [first = 0, second = 0] = timesMs;
    // A timer may fire a fraction of a millisecond early.
    expect(second - first).toBeGreaterThan(995);
    expect(second - first).toBeLessThan(5_000);
  });

  test("is thrown at once if it requires a long wait", async () => {
    const { server, client } = await clientOf((response) => sendError(response, 429, { "Retry-After": "31" }), {
      retries: 2,
    });
    expect(await failure("service", client.listOffers())).toMatchObject({ status: 429, retryAfterMs: 31_000 });
    expect(server.requests).toHaveLength(1);
  });
});
