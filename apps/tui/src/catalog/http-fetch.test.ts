import { gzipSync } from "node:zlib";
import { createClient, isClientError } from "@gpu-offers/client";
import { freeUrl, sendError, sendJson, startServer, type Handler } from "@gpu-offers/testkit/http-server";
import { offersOf, pageOf } from "@gpu-offers/testkit/offers";
import { expect, test } from "vitest";
import { httpFetch } from "./server-source.js";

const list = pageOf(offersOf(3));
const packed = gzipSync(JSON.stringify(list));
const gzip = { "Content-Encoding": "gzip", "Content-Type": "application/json" };

const RESPONSES: Readonly<Record<string, Handler>> = {
  "a list": (response) => sendJson(response, list),
  "a compressed list": (response) => response.writeHead(200, gzip).end(packed),
  "a damaged compressed list": (response) => response.writeHead(200, gzip).end(packed.toReversed()),
  "a list that breaks off": (response) => {
    response.writeHead(200, { "Content-Length": "1000" }).write("{", () => response.destroy());
  },
  "no response": (response) => response.destroy(),
  "a web page": (response) => response.end("<!doctype html>"),
  nothing: (response) => response.writeHead(204).end(),
  "a redirect": (response) => response.writeHead(302, { Location: "/there" }).end(),
  "an error": (response) => sendError(response, 503, { "Retry-After": "7" }),
};

/** What a client reads with this fetch, without what differs between two servers. */
async function readWith(fetch: typeof httpFetch | undefined, baseUrl: string): Promise<unknown> {
  try {
    return await createClient({ baseUrl, fetch, apiKey: "gpo_key", retries: 0 }).listOffers();
  } catch (error) {
    if (!isClientError(error)) {
      throw error;
    }
    const { kind, name } = error;
    return { kind, name, ...("status" in error ? { status: error.status, retryAfterMs: error.retryAfterMs } : {}) };
  }
}

test.for(Object.entries(RESPONSES))("is read as by the platform's fetch: %s", async ([, handle]) => {
  const { url, requests } = await startServer(handle);
  const read = await readWith(httpFetch, url);
  expect(read).toEqual(await readWith(undefined, url));
  const [own, platform] = requests;
  expect(own).toMatchObject({ method: "GET", url: platform?.url });
  expect(own?.headers).toMatchObject({ accept: "application/json", authorization: "Bearer gpo_key" });
});

test("a failed connection has its reason", async () => {
  const baseUrl = await freeUrl();
  const call = createClient({ baseUrl, fetch: httpFetch, retries: 0 }).listOffers();
  await expect(call).rejects.toThrow(
    `No response from ${baseUrl}: connect ECONNREFUSED ${baseUrl.slice("http://".length)}.`,
  );
});

test("a compressed body that ends early is a broken connection", async () => {
  const { url } = await startServer((response) => response.writeHead(200, gzip).end(packed.subarray(0, 50)));
  const call = createClient({ baseUrl: url, fetch: httpFetch, retries: 0 }).listOffers();
  await expect(call).rejects.toMatchObject({ kind: "connection", problem: "unexpected end of file" });
});

test("an aborted call ends its request", async () => {
  const { url, closes, arrived } = await startServer((response) => void response.write("{"));
  const abort = new AbortController();
  const call = createClient({ baseUrl: url, fetch: httpFetch, retries: 0 }).listOffers({}, { signal: abort.signal });
  void arrived(1).then(() => abort.abort("enough"));
  await expect(call).rejects.toBe("enough");
  await closes[0];
});

test("requests after one another use one connection", async () => {
  const { url, requests } = await startServer(RESPONSES["a compressed list"] as Handler);
  const client = createClient({ baseUrl: url, fetch: httpFetch });
  await client.listOffers();
  await client.listOffers();
  expect(requests[1]?.socket).toBe(requests[0]?.socket);
});
