import type http from "node:http";
import { createRequire } from "node:module";
import { pipeline, type Readable } from "node:stream";
import type zlib from "node:zlib";
import type { Fetch } from "@gpu-offers/client";

const require = createRequire(import.meta.url);

/**
 * Sends the client's requests through node:http. Loading the platform's fetch takes 60 ms, a quarter of the time until
 * the picker shows offers.
 */
export const httpFetch: Fetch = (url, { method, headers, signal }) =>
  new Promise((resolve, reject) => {
    // An import would load fetch as well, because node:http exports some of its classes.
    const { request } = require(url.startsWith("https:") ? "node:https" : "node:http") as typeof http;
    const sent = request(url, { method, headers: { ...headers, "Accept-Encoding": "gzip" }, signal }, (response) => {
      const body = decoded(response);
      const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
      const cancel = (): Promise<void> => {
        body.destroy();
        return Promise.resolve();
      };
      resolve({
        // Set in every response to a request of ours.
        status: response.statusCode as number,
        type: "basic",
        headers: { get: (name) => [response.headers[name.toLowerCase()] ?? null].flat().join(", ") || null },
        body: { getReader: () => ({ read: () => chunks.next(), cancel }), cancel },
      });
    });
    sent.on("error", reject);
    sent.end();
  });

/** The body of a response. Destroying it closes the connection. */
function decoded(response: http.IncomingMessage): Readable {
  if (response.headers["content-encoding"] !== "gzip") {
    return response;
  }
  const { createGunzip } = require("node:zlib") as typeof zlib;
  // Errors reach the reader of the last stream.
  return pipeline(response, createGunzip(), () => {});
}
