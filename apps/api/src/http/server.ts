import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { ApiError, errorOfStatus } from "./api-error.js";
import { sendError, toApiError } from "./error.filter.js";
import { QueryParameters } from "./query-parameters.js";
import { requestIdOf } from "./request-id.js";
import { Routes } from "./routes.js";

// The HTTP server below Nest: what it reads, what it refuses before any route, what it logs.

/** Longest request target (path and query) in characters. */
const MAX_URL_LENGTH = 8_192;

/** Bytes of request line and headers together. */
const MAX_HEADER_BYTES = 16_384;

/** Milliseconds that a client has to send its whole request. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Milliseconds that an idle connection is kept. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Creates the server: strict about URLs, one error body, one log line a request. */
export function createAdapter(logger: Logger): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    // No route needs Express middleware.
    skipMiddie: true,
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: 1_024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: true,
    },
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // An id of any length is an id that no offer has: 404, not 414.
      maxParamLength: MAX_URL_LENGTH,
      querystringParser: (text: string) => new QueryParameters(text) as never,
    },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.header("X-Request-Id", request.id);
      sendError(reply, toApiError(error), request.id);
    },
    clientErrorHandler: (error, socket) => {
      logger.debug({ err: error }, "request refused by the HTTP parser");
      refuseSocket(socket, error);
    },
  });
  prepare(adapter.getInstance() as unknown as FastifyInstance, logger);
  return adapter;
}

function prepare(server: FastifyInstance, logger: Logger): void {
  const routes = new Routes();
  routes.watch(server);
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    if (request.raw.url !== undefined && request.raw.url.length > MAX_URL_LENGTH) {
      done(errorOfStatus(414));
    } else if (hasSeveralHosts(request.raw.rawHeaders)) {
      done(errorOfStatus(400));
    } else if (request.is404) {
      const [path = ""] = request.url.split("?");
      const allow = routes.allow(path);
      if (allow !== undefined && request.method === "OPTIONS") {
        void reply.code(204).header("Allow", allow).send();
      } else {
        done(allow === undefined ? errorOfStatus(404) : methodNotAllowed(request.method, allow));
      }
    } else {
      done();
    }
  });
  server.addHook("onResponse", (request, reply, done) => {
    logger.info(
      {
        requestId: request.id,
        method: request.method,
        url: withoutKeys(request.url),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
      },
      "request",
    );
    done();
  });
}

function methodNotAllowed(method: string, allow: string): ApiError {
  return new ApiError("method_not_allowed", `${method} is not allowed here; allowed are ${allow}.`, [], { Allow: allow });
}

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts++;
    }
  }
  return hosts > 1;
}

/** A key has no place in a URL; one that is there anyway must not reach the log. */
function withoutKeys(url: string): string {
  return url.includes("gpo_") ? url.replaceAll(/gpo_[A-Za-z0-9]+/g, "gpo_***") : url;
}

/** What Node's HTTP parser reports: `rawPacket` are the bytes that it read last. */
interface ParserError extends Error {
  code?: string;
  rawPacket?: unknown;
}

/** Answers a connection whose bytes are no HTTP request, in the same words as every other error. */
function refuseSocket(socket: Socket, error: ParserError): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const apiError = errorOfStatus(statusOfParserError(error));
  const requestId = requestIdOf({ headers: {} });
  const body = JSON.stringify(apiError.toBody(requestId));
  socket.end(
    [
      `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status] ?? ""}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      `X-Request-Id: ${requestId}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function statusOfParserError(error: ParserError): number {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      // A request line that fills the whole buffer has no line end in the first packet.
      return error.rawPacket instanceof Buffer && !error.rawPacket.includes("\r\n") ? 414 : 431;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408;
    default:
      return 400;
  }
}
