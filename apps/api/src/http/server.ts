import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import { ApiError, errorOfStatus } from "./api-error.js";
import { sendError, toApiError } from "./error.filter.js";
import { QueryParameters } from "./query-parameters.js";
import { requestIdOf } from "./request-id.js";
import { Routes } from "./routes.js";
import { withoutKeys } from "./without-keys.js";

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
export function createAdapter({ TRUST_PROXY }: Pick<Config, "TRUST_PROXY">, logger: Logger): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    trustProxy: TRUST_PROXY,
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
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.header("X-Request-Id", request.id);
      reply.raw.once("close", () => logRequest(logger, request, reply));
      sendError(reply, toApiError(error), request.id);
    },
    clientErrorHandler: (error, socket) => refuseSocket(socket, error, logger),
  });
  prepare(adapter.getInstance<FastifyInstance>(), logger);
  return adapter;
}

function prepare(server: FastifyInstance, logger: Logger): void {
  const routes = new Routes();
  routes.watch(server);
  // Node would refuse other expectations than 100-continue without a body; framingFault does it instead.
  // A tunnel is asked for with CONNECT; Node would close the connection without a word.
  server.server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    writeError(socket, methodNotAllowed("CONNECT", "GET, HEAD, OPTIONS"), requestIdOf({ headers: {} }));
  });
  server.server.on("checkExpectation", (request, response) => server.server.emit("request", request, response));
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("X-Request-Id", request.id);
    const fault = framingFault(request.raw);
    const path = pathOf(request.url);
    if (fault !== undefined) {
      // What follows may be meant as a part of this request.
      reply.header("Connection", "close");
      done(errorOfStatus(fault));
    } else if (path.endsWith("/") || path.endsWith("/index.html") || isEncodedTwin(request, path, routes)) {
      // One URL a resource: the documentation pages would answer under others too.
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
    logRequest(logger, request, reply);
    done();
  });
}

/** Whether a path reaches its route only by its percent-encoding: `/api/v1/%6fffers`. */
function isEncodedTwin(request: FastifyRequest, path: string, routes: Routes): boolean {
  return !request.is404 && path.includes("%") && routes.allow(path) === undefined;
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
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

/** Status of the refusal of what Node's parser lets through; undefined for a sound request. */
function framingFault({
  url = "",
  httpVersionMajor,
  httpVersionMinor,
  rawHeaders,
  headers,
}: IncomingMessage): number | undefined {
  const hosts = countHosts(rawHeaders);
  // HTTP/1.0 knows no Host; older and newer versions than 1.x are not spoken here.
  if (httpVersionMajor !== 1 || hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) {
    return 400;
  }
  if (url.length > MAX_URL_LENGTH) {
    return 414;
  }
  const coding = headers["transfer-encoding"];
  // HTTP/1.0 knows no transfer encoding, and no other than this one is spoken here.
  const isCodingSound = coding === undefined || (httpVersionMinor > 0 && coding.toLowerCase() === "chunked");
  if (!isHostSound(headers.host, url) || !isCodingSound) {
    return 400;
  }
  return headers.expect === undefined || headers.expect.toLowerCase() === "100-continue" ? undefined : 417;
}

/** A name or an address with an optional port: RFC 9110, 7.2, without the comma, which could make two of one. */
const HOST = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** Whether a request names one host. A whole URL for a path is sound when it names that of the header. */
function isHostSound(host: string | undefined, url: string): boolean {
  if (host === undefined) {
    return true;
  }
  const [, named] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return HOST.test(host) && (named === undefined || named.toLowerCase() === host.toLowerCase());
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts++;
    }
  }
  return hosts;
}

/** What Node's HTTP parser reports: `rawPacket` are the bytes that it read last. */
interface ParserError extends Error {
  code?: string;
  rawPacket?: unknown;
}

/** Answers a connection whose bytes are no HTTP request, in the same words as every other error. */
function refuseSocket(socket: Socket, error: ParserError, logger: Logger): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const apiError = errorOfStatus(statusOfParserError(error));
  const requestId = requestIdOf({ headers: {} });
  // Not the error itself: it carries the bytes, and a key may be among them.
  logger.info({ requestId, status: apiError.status, fault: error.code }, "request refused by the HTTP parser");
  writeError(socket, apiError, requestId);
}

/** Writes an error to a connection that has no request to answer, and ends it. */
function writeError(socket: Socket, error: ApiError, requestId: string): void {
  const body = JSON.stringify(error.toBody(requestId));
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}`,
      ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
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
      return error.rawPacket instanceof Buffer && startsWithLongLine(error.rawPacket) ? 414 : 431;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408;
    case undefined:
    default:
      return 400;
  }
}

/**
 * Whether the bytes start with a request line that is too long. Of a request in several packets only the
 * last is known, and there a long header is likelier than a long URL.
 */
function startsWithLongLine(bytes: Buffer): boolean {
  const lineEnd = bytes.indexOf("\r\n");
  return (lineEnd === -1 || lineEnd > MAX_HEADER_BYTES) && /^[A-Z-]+ /.test(bytes.toString("latin1", 0, 32));
}
