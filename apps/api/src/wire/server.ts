import type { Server } from "node:http";
import { MAX_HEADER_BYTES } from "./framing.js";

// An import would load the platform's fetch as well, because node:http exports some of its classes.
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

/** Milliseconds for a client to send its whole request. */
const REQUEST_TIMEOUT_MS = 10_000;

const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Milliseconds without a byte in either direction after which a connection with a request is dropped: twice, if bytes are unsent. */
const SILENCE_TIMEOUT_MS = 30_000;

/** Creates the HTTP server, with the limits of a connection. It handles no requests yet: see {@link Wire.attach}. */
export function createWireServer(): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: 2_000,
    // Node would reject these without a body; framingProblem does it instead.
    requireHostHeader: false,
  });
  server.setTimeout(SILENCE_TIMEOUT_MS);
  // Clients may half-close after sending a request; Node would then close our side before a slow response.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node would silently drop headers beyond its limit; framingProblem counts all of them.
  server.maxHeadersCount = 0;
  return server;
}
