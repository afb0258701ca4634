import { once } from "node:events";
import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { createClient, type ClientOptions } from "../src/index.js";
import { offersOf, pageOf } from "./offers.js";
import { freeUrl, sendError, sendJson, startServer, type Handler } from "./server.js";
import { failure, rejection } from "./thrown.js";

// Bad weather: everything that stands between a client and the service, from real servers.

const list = pageOf(offersOf(3));

/** A client of a server that answers like this. */
async function clientOf(handle: Handler, options: Partial<ClientOptions> = {}) {
  const server = await startServer(handle);
  return { server, client: createClient({ baseUrl: server.url, retries: 0, ...options }) };
}

describe("an answer that is not the interface", () => {
  const web = "<!doctype html><title>Welcome</title>";
  const json = JSON.stringify(list);

  test.for([
    ["a web page", web, "is not JSON but looks like a web page"],
    ["nothing", "", "is not JSON"],
    ["broken JSON", json.slice(0, -2), "is not JSON"],
    ["a bare list", "[]", "is not of the interface: body: Invalid input: expected object, received array"],
    [
      "a price in words",
      json.replace('"priceHourly":1,', '"priceHourly":"1",'),
      "is not of the interface: offers.0.priceHourly: Invalid input: expected number, received string",
    ],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22]), "is not UTF-8"],
    ["a character that is cut in two", Buffer.from([0x22, 0xc3]), "is not UTF-8"],
  ] as const)("is an AnswerError: %s", async ([, body, fault]) => {
    const { server, client } = await clientOf((response) => response.end(body), { retries: 2 });
    const error = await failure("answer", client.listOffers());
    expect(error).toMatchObject({ name: "AnswerError", status: 200, url: `${server.url}/api/v1/offers`, fault });
    expect(error.message).toBe(`The answer of ${server.url}/api/v1/offers (status 200) ${fault}.`);
    expect(server.requests).toHaveLength(1);
  });

  test.for([404, 500, 502] as const)("is an AnswerError with its status: a web page with %i", async (status) => {
    const { client } = await clientOf((response) => response.writeHead(status, { "Retry-After": "3" }).end(web));
    expect(await failure("answer", client.listProviders())).toMatchObject({ status, retryAfterMs: 3_000 });
  });

  test.for([201, 204, 206, 304] as const)("is an AnswerError: a status of %i that nobody asked for", async (status) => {
    const { client } = await clientOf((response) => response.writeHead(status).end());
    const fault = "has a status that the interface does not have";
    expect(await failure("answer", client.listProviders())).toMatchObject({ status, fault });
  });

  test("is an AnswerError: a body without end, of which only so much is read", async () => {
    const { server, client } = await clientOf((response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });
    expect(await failure("answer", client.listOffers())).toMatchObject({ fault: "is larger than 8388608 bytes" });
    await server.closes[0];
  });

  test("is read as long as what is new is not in the way", async () => {
    const [offer] = list.offers;
    const novel = { ...offer, deploymentType: "orbital", interconnect: { gbps: 3200 }, color: "green" };
    const { client } = await clientOf((response) => sendJson(response, novel));
    const { color: _, ...known } = novel;
    expect(await client.getOffer(novel.id ?? "")).toEqual(known);
  });
});

describe("no connection", () => {
  test("is a ConnectionError that says why: refused", async () => {
    const baseUrl = await freeUrl();
    const error = await failure("connection", createClient({ baseUrl, retries: 0 }).listOffers());
    expect(error.message).toBe(`No answer from ${baseUrl}: connect ECONNREFUSED ${baseUrl.slice("http://".length)}.`);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  test("is a ConnectionError: reset before an answer", async () => {
    const { client } = await clientOf((response) => response.socket?.resetAndDestroy());
    expect(await failure("connection", client.listOffers())).toHaveProperty("cause");
  });

  test.for([
    ["with a length", { "Content-Length": "1000" }],
    ["in chunks", { "Transfer-Encoding": "chunked" }],
  ] as const)("is a ConnectionError: a body that breaks off, %s", async ([, headers]) => {
    const { client } = await clientOf((response) => {
      response.writeHead(200, headers).write('{"offers":[', () => response.socket?.destroy());
    });
    await failure("connection", client.listOffers());
  });

  test("is a ConnectionError: a fetch that fails in its own way", async () => {
    const client = createClient({
      baseUrl: "http://offers.example",
      retries: 0,
      fetch: () => Promise.reject(Object.assign(new AggregateError([]), { code: "ENETUNREACH" })),
    });
    const error = await failure("connection", client.listOffers());
    expect(error.message).toBe("No answer from http://offers.example: ENETUNREACH.");
  });

  test("is tried again, and may pass", async () => {
    const { server, client } = await clientOf(
      (response, _, number) => (number < 3 ? response.socket?.resetAndDestroy() : sendJson(response, list)),
      { retries: 2 },
    );
    expect(await client.listOffers()).toEqual(list);
    expect(server.requests).toHaveLength(3);
  });
});

describe("a time-out", () => {
  test("is a TimeoutError: no header comes", async () => {
    const { server, client } = await clientOf(() => {}, { timeoutMs: 50, retries: 1 });
    const error = await failure("timeout", client.listOffers());
    expect(error).toMatchObject({ timeoutMs: 50, message: `No whole answer from ${server.url} within 50 ms.` });
    expect(server.requests).toHaveLength(2);
  });

  test("is a TimeoutError: the body stops half-way", async () => {
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

  test("is a TimeoutError: a fetch that does not listen to its signal", async () => {
    const client = createClient({
      baseUrl: "http://offers.example",
      retries: 0,
      timeoutMs: 20,
      fetch: () => new Promise(() => {}),
    });
    await failure("timeout", client.listOffers());
  });

  test("ends its request", async () => {
    const { server, client } = await clientOf(() => {}, { timeoutMs: 50 });
    await failure("timeout", client.listOffers());
    await server.closes[0];
  });
});

describe("an answer that says not now", () => {
  test.for([429, 502, 503, 504] as const)("is asked again: %i", async (status) => {
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

  test("is the error once the retries are used up", async () => {
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
    // The answer's own clock counts, not this machine's.
    ["a date", { Date: "Wed, 01 Jan 2020 00:00:00 GMT", "Retry-After": "Wed, 01 Jan 2020 00:00:01 GMT" }],
  ] as const)("is asked again no sooner than it says, in %s", async ([, headers]) => {
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

  test("goes to the caller at once when it asks for a long wait", async () => {
    const { server, client } = await clientOf((response) => sendError(response, 429, { "Retry-After": "31" }), {
      retries: 2,
    });
    expect(await failure("service", client.listOffers())).toMatchObject({ status: 429, retryAfterMs: 31_000 });
    expect(server.requests).toHaveLength(1);
  });
});

describe("an abort", () => {
  const reason = { why: "the reader left" };

  test("passes the caller's reason through, and sends nothing when it came before", async () => {
    const { server, client } = await clientOf((response) => sendJson(response, list));
    expect(await rejection(client.listOffers({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  test("passes it through while the header is awaited, and ends the request", async () => {
    const { server, client } = await clientOf(() => {}, { retries: 2 });
    const abort = new AbortController();
    const call = rejection(client.listOffers({}, { signal: abort.signal }));
    await server.arrived(1);
    abort.abort(reason);
    expect(await call).toBe(reason);
    await server.closes[0];
    expect(server.requests).toHaveLength(1);
  });

  test("passes it through while the body is read", async () => {
    const abort = new AbortController();
    const { client } = await clientOf((response) => response.write('{"offers":['), {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        setImmediate(() => abort.abort(reason));
        return response;
      },
    });
    expect(await rejection(client.listOffers({}, { signal: abort.signal }))).toBe(reason);
  });

  test("passes it through while a retry is waited for", async () => {
    const { server, client } = await clientOf(
      (response) => sendError(response, 503, { "Retry-After": "20", Connection: "close" }),
      { retries: 2 },
    );
    const abort = new AbortController();
    const call = rejection(client.listOffers({}, { signal: abort.signal }));
    await server.arrived(1);
    const socket = server.requests[0]?.socket;
    // The connection ends when the whole answer was read: what follows is the wait.
    if (socket?.destroyed === false) {
      await once(socket, "close");
    }
    abort.abort(reason);
    expect(await call).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test("leaves nothing on a signal that lives longer", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const { client } = await clientOf(
      (response, _, number) => (number === 1 ? sendError(response, 503) : sendJson(response, list)),
      { retries: 1 },
    );
    await client.listOffers({}, { signal });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    for (const [, listener] of added.mock.calls) {
      expect(removed.mock.calls.map(([, gone]) => gone)).toContain(listener);
    }
  });
});

describe("a redirect", () => {
  test.for([301, 302, 303, 307, 308])(
    "with %i to another origin is not followed, and the key stays",
    async (status) => {
      const elsewhere = await startServer((response) => sendJson(response, list));
      const { client } = await clientOf(
        (response) => response.writeHead(status, { Location: `${elsewhere.url}/api/v1/offers` }).end(),
        { apiKey: "gpo_secret" },
      );
      const error = await failure("answer", client.listOffers());
      expect(error).toMatchObject({
        status,
        fault: `is a redirect to ${elsewhere.url}; set baseUrl to where it leads`,
      });
      expect(elsewhere.requests).toHaveLength(0);
    },
  );

  test.for(["/api/v1/other", "http://[", undefined])("to %s is not followed either", async (location) => {
    const headers = location === undefined ? {} : { Location: location };
    const { server, client } = await clientOf((response) => response.writeHead(302, headers).end());
    expect((await failure("answer", client.listOffers())).fault).toMatch(/^is a redirect/);
    expect(server.requests).toHaveLength(1);
  });
});

describe("the key", () => {
  const apiKey = "gpo_0123456789abcdefghijklmnopqrst123456";

  test("is in the Authorization header, and in no URL", async () => {
    const { server, client } = await clientOf((response) => sendJson(response, list), { apiKey });
    await client.listOffers({ gpu: ["h100-sxm"] });
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(request?.url).toBe("/api/v1/offers?gpu=h100-sxm");
  });

  test("is not sent where there is none", async () => {
    const { server, client } = await clientOf((response) => sendJson(response, list));
    await client.listOffers();
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test.for<[string, Handler]>([
    [
      "an error that repeats it",
      (response, { headers }) => {
        const text = String(headers.authorization);
        const body = { code: text, message: text, details: [{ in: text, name: text, reason: text }], requestId: text };
        sendJson(response, body, { status: 401 });
      },
    ],
    ["an error of another form", (response, { headers }) => sendJson(response, headers, { status: 401 })],
    ["another value", (response, { headers }) => sendJson(response, headers)],
    ["broken JSON", (response, { headers }) => response.end(headers.authorization)],
    ["a broken error", (response, { headers }) => response.writeHead(500).end(headers.authorization)],
    ["a reset", (response) => response.socket?.resetAndDestroy()],
    ["silence", () => {}],
    ["a redirect", (response, { headers }) => response.writeHead(302, { Location: `/${headers.authorization}` }).end()],
  ])("is in no error: %s", async ([, handle]) => {
    const { client } = await clientOf(handle, { apiKey, timeoutMs: 300 });
    const error = await rejection(client.getAccount());
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(apiKey.slice(0, 12));
  });

  test("is not shown where the client is", () => {
    const client = createClient({ baseUrl: "http://offers.example", apiKey });
    expect(inspect(client, { depth: Infinity, showHidden: true }) + JSON.stringify(client)).not.toContain(apiKey);
  });
});

describe("the address", () => {
  test.for(["", "/", "/gateway/offers", "/gateway/offers/", "//"])("may end with %j", async (end) => {
    const { server } = await clientOf((response) => sendJson(response, list));
    for (const baseUrl of [server.url + end, new URL(server.url + end)]) {
      await createClient({ baseUrl }).listOffers();
    }
    const path = `${end.replace(/\/+$/, "")}/api/v1/offers`;
    expect(server.requests.map(({ url }) => url)).toEqual([path, path]);
  });
});

describe("a kept answer", () => {
  const etag = '"7-0a0b0c0d-0.1.0"';

  /** Answers 304 to the tag, else the list with it. */
  const tagged: Handler = (response, { headers }) =>
    headers["if-none-match"] === etag
      ? response.writeHead(304, { ETag: etag }).end()
      : sendJson(response, list, { headers: { ETag: etag } });

  test("is given again when the service says that it still holds", async () => {
    const { server, client } = await clientOf(tagged);
    const first = await client.listOffers();
    // What a caller does to its answer is its own affair.
    first.offers.length = 0;
    expect(await client.listOffers()).toEqual(list);
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, etag]);
  });

  test("is of its URL alone", async () => {
    const { server, client } = await clientOf(tagged);
    await client.listOffers();
    await client.listOffers({ page: 0 });
    await client.listOffers({ gpu: "h100-sxm" });
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined]);
  });

  test("is shared by questions that are the same in other words", async () => {
    const { server, client } = await clientOf(tagged);
    await client.listOffers({ continent: "Europe", gpu: ["H100-SXM", "h200-sxm", "h100-sxm"] });
    await client.listOffers({ gpu: "h100-sxm, h200-sxm", continent: ["europe"], size: undefined });
    const url = "/api/v1/offers?gpu=h100-sxm%2Ch200-sxm&continent=Europe";
    expect(server.requests.map((request) => request.url)).toEqual([url, url]);
    expect(server.requests[1]?.headers["if-none-match"]).toBe(etag);
  });

  test("gives way to a new one", async () => {
    const { server, client } = await clientOf((response, _, number) =>
      sendJson(response, pageOf(offersOf(number)), { headers: { ETag: `"${number}"` } }),
    );
    expect((await client.listOffers()).totalElements).toBe(1);
    expect((await client.listOffers()).totalElements).toBe(2);
    await client.listOffers();
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"1"', '"2"']);
  });

  test.for([
    ["without a tag", {}],
    ["that must not be stored", { ETag: etag, "Cache-Control": "private, No-Store" }],
  ] as const)("is none of an answer %s", async ([, headers]) => {
    const { server, client } = await clientOf((response) => sendJson(response, list, { headers }));
    await client.listOffers();
    await client.listOffers();
    expect(server.requests[1]?.headers).not.toHaveProperty("if-none-match");
  });

  test("survives an error in between", async () => {
    const { server, client } = await clientOf((response, request, number) =>
      number === 2 ? sendError(response, 500) : tagged(response, request, number),
    );
    await client.listOffers();
    await failure("service", client.listOffers());
    expect(await client.listOffers()).toEqual(list);
    expect(server.requests[2]?.headers["if-none-match"]).toBe(etag);
  });
});
