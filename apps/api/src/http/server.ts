import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import type { Metrics } from "../metrics/metrics.js";
import type { Tracing } from "../tracing.js";
import { ApiError, errorOfStatus } from "./api-error.js";
import type { Connections } from "./connections.js";
import { corsHeaders } from "./cors.js";
import { sendError, toApiError } from "./error.filter.js";
import {
  errorBytes,
  errorOfParser,
  framingFault,
  MAX_HEADER_BYTES,
  MAX_URL_LENGTH,
  ORIGIN,
  refuseConnection,
  type ParserError,
} from "./framing.js";
import { QueryParameters } from "./query-parameters.js";
import { requestIdOf } from "./request-id.js";
import { Routes } from "./routes.js";
import { SECURITY_HEADERS } from "./security-headers.js";
import { withoutKeys } from "./without-keys.js";

// The HTTP server below Nest: what it reads, what it refuses before any route, what it says of each request.

/** Milliseconds that a client has to send its whole request. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Milliseconds that an idle connection is kept. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Milliseconds without a byte in either direction after which a connection with a request is dropped. */
const SILENCE_TIMEOUT_MS = 60_000;

/** What the server works with. */
export interface ServerParts {
  config: Pick<Config, "TRUST_PROXY" | "CORS_ORIGINS">;
  connections: Connections;
  logger: Logger;
  /** Undefined when nobody measures. */
  metrics: Metrics | undefined;
  /** Undefined when nobody traces. */
  tracing: Tracing | undefined;
}

/** Creates the server: strict about URLs, one error body, one log line a request. */
export function createAdapter(parts: ServerParts): FastifyAdapter {
  const { config } = parts;
  const adapter = new FastifyAdapter({
    logger: false,
    trustProxy: config.TRUST_PROXY,
    // No route needs Express middleware.
    skipMiddie: true,
    rewriteUrl: ({ url = "" }) => withoutOrigin(url),
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: 1_024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 2_000,
      // Node would refuse without a body; framingFault looks at it instead.
      requireHostHeader: false,
    },
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      // An id of any length is an id that no offer has: 404, not 414.
      maxParamLength: MAX_URL_LENGTH,
      querystringParser: (text: string) => new QueryParameters(text) as never,
    },
    // Schemas are zod's, so Fastify's own compilers are not even installed (pnpm-workspace.yaml).
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      begin(parts, request, reply);
      reply.raw.once("close", () => finish(parts, request, reply));
      sendError(reply, toApiError(error), request.id);
    },
    clientErrorHandler: (error, socket) => refuseSocket(parts, socket, error),
  });
  prepare(adapter.getInstance<FastifyInstance>(), parts);
  return adapter;
}

function noCompiler(): never {
  throw new Error("A route has a schema for Fastify; schemas belong to the parameters pipe.");
}

function prepare(server: FastifyInstance, parts: ServerParts): void {
  const routes = new Routes();
  routes.watch(server);
  parts.connections.watch(server.server);
  // Node would silently leave out those beyond a number; framingFault counts all of them.
  server.server.maxHeadersCount = 0;
  // A tunnel is asked for with CONNECT; Node would close the connection without a word.
  server.server.on("connect", (request: IncomingMessage, socket: Socket) => refuseTunnel(parts, request, socket));
  // Node would refuse other expectations than 100-continue without a body; framingFault does it instead.
  server.server.on("checkExpectation", (request, response) => server.server.emit("request", request, response));
  server.addHook("onRequest", (request, reply, done) => {
    if (request.raw.socket.destroyed) {
      // Sent together with requests for which the connection was ended: nobody waits for an answer.
      reply.hijack();
      return;
    }
    begin(parts, request, reply);
    const fault = framingFault(request.raw);
    const path = pathOf(request.url);
    if (fault !== undefined) {
      // Where the next request begins is as doubtful as this one.
      reply.header("Connection", "close");
      done(errorOfStatus(fault));
    } else if (isEncodedTwin(request, path, routes)) {
      // One URL a resource.
      done(errorOfStatus(404));
    } else if (request.is404 || request.method === "OPTIONS") {
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
    finish(parts, request, reply);
    done();
  });
}

/** What every answer has, whoever gives it. */
function begin({ config, tracing }: ServerParts, request: FastifyRequest, reply: FastifyReply): void {
  reply.header("X-Request-Id", request.id);
  reply.headers(SECURITY_HEADERS);
  if (config.CORS_ORIGINS.length > 0) {
    reply.headers(corsHeaders(config.CORS_ORIGINS, request.raw));
  }
  tracing?.start(request);
}

/** What is said of every request that was answered. */
function finish({ logger, metrics, tracing }: ServerParts, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url;
  const status = reply.statusCode;
  const durationMs = reply.elapsedTime;
  metrics?.count(route, status, durationMs);
  const traceId = tracing?.end(request, route, status);
  logger.info(
    {
      requestId: request.id,
      ...(traceId === undefined ? {} : { traceId }),
      method: request.method,
      url: withoutKeys(request.url),
      status,
      durationMs: Math.round(durationMs * 100) / 100,
    },
    "request",
  );
}

/** Whether a path reaches its route only by its percent-encoding: `/api/v1/%6fffers`. */
function isEncodedTwin(request: FastifyRequest, path: string, routes: Routes): boolean {
  return !request.is404 && path.includes("%") && routes.allow(path) === undefined;
}

/** A whole URL may stand for its path (RFC 9112, 3.2.2). It is the same resource, so the same rules hold for it. */
function withoutOrigin(url: string): string {
  const rest = url.startsWith("/") ? url : url.replace(ORIGIN, "");
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

function methodNotAllowed(method: string, allow: string): ApiError {
  return new ApiError("method_not_allowed", `${method} is not allowed here; allowed are ${allow}.`, [], {
    Allow: allow,
  });
}

/**
 * Answers a request for a tunnel. Node hands its connection over without any listener: an error that nobody listens to
 * would end the process, and a client that stays would be waited for without end.
 */
function refuseTunnel({ connections, logger, metrics }: ServerParts, request: IncomingMessage, socket: Socket): void {
  socket.on("error", () => socket.destroy());
  socket.once("timeout", () => socket.destroy());
  socket.once("finish", () => socket.on("data", () => socket.destroy()));
  refuseConnection(socket, connections, () => {
    const requestId = requestIdOf(request);
    const error = methodNotAllowed("CONNECT", "GET, HEAD, OPTIONS");
    logger.info({ requestId, method: "CONNECT", url: withoutKeys(request.url ?? ""), status: error.status }, "request");
    metrics?.countRefused(error.status);
    return errorBytes(error, requestId);
  });
}

/** Answers a connection whose bytes are no HTTP request, in the same words as every other error. */
function refuseSocket({ connections, logger, metrics }: ServerParts, socket: Socket, error: ParserError): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseConnection(socket, connections, () => {
    const apiError = errorOfParser(error);
    const requestId = requestIdOf({ headers: {} });
    // Not the error itself: it carries the bytes, and a key may be among them.
    logger.info({ requestId, status: apiError.status, fault: error.code }, "request refused by the HTTP parser");
    metrics?.countRefused(apiError.status);
    return errorBytes(apiError, requestId);
  });
}
