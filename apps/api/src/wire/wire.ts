import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { OnModuleInit } from "@nestjs/common";
import type { Logger } from "pino";
import type { Representation } from "../catalog/snapshot.js";
import type { Config } from "../config.js";
import type { KeyCache } from "../keys/key-cache.js";
import { redactKeys } from "../keys/redact-keys.js";
import type { LogRequest } from "../log.js";
import type { Tracing } from "../tracing.js";
import { ApiError, errorOfStatus, methodNotAllowed } from "./api-error.js";
import type { CatalogResponse, CatalogResponseCache } from "./catalog-response-cache.js";
import { ClientAddress } from "./client-address.js";
import type { Connection, Connections } from "./connections.js";
import { errorResponse } from "./error-page.js";
import { attachExchange, Exchange } from "./exchange.js";
import { framingProblem } from "./framing.js";
import { addTurn } from "./loop-turns.js";
import { isCounted, networkOf, RateLimit, type RateState } from "./rate-limit.js";
import { errorBytes, errorOfParser, originOfParserError, rejectConnection, type ParserError } from "./rejection.js";
import { requestIdOf } from "./request-id.js";
import type { RequestMetrics } from "./request-metrics.js";
import { headerPairs, ResponseHeaders, type FlatHeaders } from "./response-headers.js";
import type { Routes } from "./routes.js";

// The HTTP server below Nest. Every request begins and ends here, with a response from one of three places: an error of
// the checks before any operation, a cached catalog response, or Nest.

/** Dependencies of the wire. */
interface WireParts {
  config: Pick<Config, "TRUST_PROXY" | "CORS_ORIGINS" | "REQUIRE_API_KEY" | "RATE_LIMIT" | "LOG_ADDRESSES">;
  connections: Connections;
  keys: KeyCache;
  logger: Logger;
  logRequest: LogRequest;
  cache: CatalogResponseCache;
  /** Nest's server, as soon as Nest has one. */
  host: { httpAdapter: NestServer };
  /** Undefined if metrics are off. */
  metrics: RequestMetrics | undefined;
  /** Undefined if tracing is off. */
  tracing: Tracing | undefined;
}

/** Nest's server: the paths that it serves, and how the wire gets in front of it. */
export interface NestServer {
  routes: Routes;
  putInFront(wire: Wire): void;
}

/** Handles every request. */
export class Wire implements OnModuleInit {
  readonly #parts: WireParts;
  readonly #headers: ResponseHeaders;
  readonly #addresses: ClientAddress;
  readonly #rateLimit: RateLimit | undefined;
  constructor(parts: WireParts) {
    const { CORS_ORIGINS: origins, TRUST_PROXY: trusted, RATE_LIMIT: perMinute } = parts.config;
    this.#parts = parts;
    this.#headers = new ResponseHeaders(origins);
    this.#addresses = new ClientAddress(trusted);
    this.#rateLimit = perMinute === undefined ? undefined : new RateLimit(perMinute);
  }

  onModuleInit(): void {
    this.#parts.host.httpAdapter.putInFront(this);
  }

  /** Handles the requests of a server; `next` is Nest's side. */
  attach(server: Server, next: RequestListener): void {
    this.#parts.connections.watch(server);
    const handle = (request: IncomingMessage, response: ServerResponse): void => this.#handle(request, response, next);
    server.on("request", handle);
    // Node would reject expectations other than 100-continue without a body; framingProblem does it instead.
    server.on("checkExpectation", handle);
    // CONNECT requests a tunnel; Node would close the connection without a response.
    server.on("connect", (request: IncomingMessage, socket: Socket) => this.#rejectTunnel(request, socket));
  }

  /** Rejects a connection whose bytes aren't an HTTP request, with the standard error body. */
  rejectSocket(socket: Socket, error: ParserError): void {
    const { connections, logger, metrics } = this.#parts;
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    rejectConnection(socket, connections, () => {
      const apiError = errorOfParser(error);
      const requestId = requestIdOf({ headers: {} });
      // The error itself is not logged: it contains the bytes, which may include a key.
      logger.info({ requestId, status: apiError.status, problem: error.code }, "request rejected by the HTTP parser");
      metrics?.countRejected(apiError.status);
      return errorBytes(apiError, requestId, this.#headers.of(originOfParserError(error)));
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse, next: RequestListener): void {
    const { connections } = this.#parts;
    const { socket } = request;
    if (connections.find(socket)?.isRejected === true) {
      // Behind a request whose framing was rejected: these bytes may be part of it.
      return;
    }
    const connection = connections.begin(socket, response);
    if (socket.destroyed) {
      // Pipelined after a request that ended the connection: no response is expected.
      return;
    }
    if (response.socket === null) {
      // Pipelined: its turn is when the responses before it are sent. Until then it must cost nothing, because its response may
      // never be read.
      response.once("socket", () => this.#begin(request, response, connection, next));
      return;
    }
    this.#begin(request, response, connection, next);
  }

  #begin(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection | undefined,
    next: RequestListener,
  ): void {
    const { config, connections, cache, tracing } = this.#parts;
    const { socket } = request;
    const exchange = new Exchange(request, response, connection, this);
    if (config.LOG_ADDRESSES === "on") {
      // Before the socket may be closed, and its address unknown.
      exchange.client = this.#addresses.of(request);
    }
    exchange.span = tracing?.start(exchange, this.#addresses.schemeOf(request));
    response.on("close", () => {
      this.#end(exchange);
      connections.end(connection, socket);
    });
    if (request.headers.upgrade !== undefined) {
      // Node's parser treats what follows as another protocol, and would drop further requests without a response.
      response.shouldKeepAlive = false;
    }
    const problem = framingProblem(request);
    if (problem !== undefined) {
      // It is unclear where the next request begins.
      response.shouldKeepAlive = false;
      if (connection !== undefined) {
        connection.isRejected = true;
      }
      this.#sendError(exchange, errorOfStatus(problem));
      return;
    }
    const cached = isRead(exchange) ? cache.find(request) : undefined;
    if (cached === undefined) {
      this.#route(exchange, next);
      return;
    }
    exchange.route = cached.route;
    exchange.loggedUrl = cached.loggedUrl;
    if (this.#count(exchange)) {
      this.#respond(exchange, cached, next);
    }
  }

  /** Checks path, method and rate, then passes the request to Nest. */
  #route(exchange: Exchange, next: RequestListener): void {
    const { method, path } = exchange;
    const route = this.#parts.host.httpAdapter.routes.find(path);
    if (route === undefined) {
      this.#sendError(exchange, isDecodable(path) ? errorOfStatus(404) : badEncoding());
    } else if (method === "OPTIONS") {
      this.#send(exchange, 204, ["Allow", route.allow]);
    } else if (!route.methods.has(method)) {
      this.#sendError(exchange, methodNotAllowed(method, route.allow));
    } else {
      exchange.route = route.pattern;
      if (!isDecodable(path)) {
        this.#sendError(exchange, badEncoding());
      } else if (this.#count(exchange)) {
        this.#respond(exchange, undefined, next);
      }
    }
  }

  /** Sends a catalog response, cached or read without Nest, if the caller is known to have access; else Nest responds. */
  #respond(exchange: Exchange, cached: CatalogResponse | undefined, next: RequestListener): void {
    const { cache } = this.#parts;
    const found = this.#mayReadCatalog(exchange)
      ? (cached ?? (isRead(exchange) ? cache.read(exchange) : undefined))
      : undefined;
    if (found === undefined) {
      this.#pass(exchange, next);
    } else {
      cache.send(exchange, found, this.#headers.of(exchange.request.headers.origin));
    }
  }

  /** Counts a request for the rate limit. Returns false if the limit is exceeded; the 429 is then sent. */
  #count(exchange: Exchange): boolean {
    const limit = this.#rateLimit;
    if (limit === undefined || !isCounted(exchange.route)) {
      return true;
    }
    const state = limit.count(this.#callerOf(exchange));
    const { isOver, resetSeconds } = state;
    exchange.rateHeaders = rateHeadersOf(limit, state);
    if (isOver) {
      const requests = limit.perMinute === 1 ? "1 request" : `${limit.perMinute} requests`;
      const wait = resetSeconds === 1 ? "1 second" : `${resetSeconds} seconds`;
      const message = `Rate limit of ${requests} per minute exceeded. Retry in ${wait}.`;
      this.#sendError(exchange, new ApiError("rate_limited", message, [], { "Retry-After": String(resetSeconds) }));
    }
    return !isOver;
  }

  /** Who is counted for the rate limit: an account's key, or a network. */
  #callerOf({ keyHash, request }: Exchange): string {
    return this.#parts.keys.findKnown(keyHash) ?? networkOf(this.#addresses.of(request));
  }

  /** Whether the caller may read the catalog, as far as known without a query; Nest queries the database. */
  #mayReadCatalog({ keyHash }: Exchange): boolean {
    return !this.#parts.config.REQUIRE_API_KEY || this.#parts.keys.findTrusted(keyHash) !== undefined;
  }

  /** Passes a request to Nest. */
  #pass(exchange: Exchange, next: RequestListener): void {
    const { request, response, url } = exchange;
    for (const [name, value] of headerPairs(this.#commonHeaders(exchange))) {
      response.setHeader(name, value);
    }
    attachExchange(exchange);
    request.url = url;
    if (exchange.method === "HEAD") {
      // Node omits the body of a HEAD response by itself; everything else is as for GET.
      request.method = "GET";
    }
    if (isProbe(exchange)) {
      next(request, response);
    } else {
      addTurn(() => next(request, response));
    }
  }

  /** Caches Nest's response for the URL of an exchange, so that the next request bypasses Nest. */
  remember(exchange: Exchange, representation: Representation): void {
    this.#parts.cache.remember(exchange, representation);
  }

  /** Counts a response for the rate limit that is as much work as several requests, one of which is already counted. */
  charge(exchange: Exchange, requests: number): void {
    const limit = this.#rateLimit;
    if (limit !== undefined && requests > 1) {
      exchange.rateHeaders = rateHeadersOf(limit, limit.charge(this.#callerOf(exchange), requests - 1));
      for (const [name, value] of headerPairs(exchange.rateHeaders)) {
        exchange.response.setHeader(name, value);
      }
    }
  }

  #commonHeaders({ id, method, request, rateHeaders }: Exchange): FlatHeaders {
    const headers =
      method === "OPTIONS" ? this.#headers.ofPreflight(request) : this.#headers.of(request.headers.origin);
    return ["X-Request-Id", id, ...headers, ...rateHeaders];
  }

  #sendError(exchange: Exchange, error: ApiError): void {
    const { id, url, request } = exchange;
    const { body, headers } = errorResponse(error, id, { url, accept: request.headers.accept });
    this.#send(exchange, error.status, Object.entries(headers).flat(), body);
  }

  #send(exchange: Exchange, status: number, headers: FlatHeaders, body?: string): void {
    exchange.response
      .writeHead(status, [...withoutNames(this.#commonHeaders(exchange), headers), ...headers])
      .end(body);
  }

  /** Logs, counts and traces every request. */
  #end(exchange: Exchange): void {
    const { logRequest, metrics, tracing } = this.#parts;
    const { status, elapsedMs } = exchange;
    metrics?.count(exchange.route, status, elapsedMs);
    logRequest(exchange, status, elapsedMs, tracing?.end(exchange));
  }

  /**
   * Rejects a tunnel request (CONNECT). Node passes its socket without listeners: an unhandled error would end the
   * process, and a client that stays would block shutdown.
   */
  #rejectTunnel(request: IncomingMessage, socket: Socket): void {
    const { connections, logger, metrics } = this.#parts;
    socket.on("error", () => socket.destroy());
    socket.once("timeout", () => socket.destroy());
    socket.once("finish", () => socket.on("data", () => socket.destroy()));
    rejectConnection(socket, connections, () => {
      const requestId = requestIdOf(request);
      const error = methodNotAllowed("CONNECT", "GET, HEAD, OPTIONS");
      const url = redactKeys(request.url ?? "");
      logger.info({ requestId, method: "CONNECT", url, status: error.status }, "request");
      metrics?.countRejected(error.status);
      return errorBytes(error, requestId, this.#headers.of(request.headers.origin));
    });
  }
}

/** Headers without those that others replace. */
function withoutNames(headers: FlatHeaders, others: FlatHeaders): FlatHeaders {
  const replaced = new Set(others.filter((_, index) => index % 2 === 0));
  return headers.filter((_, index) => !replaced.has(headers[index - (index % 2)] ?? ""));
}

function rateHeadersOf({ perMinute }: RateLimit, { remaining, resetSeconds }: RateState): FlatHeaders {
  return [
    "RateLimit-Limit",
    String(perMinute),
    "RateLimit-Remaining",
    String(remaining),
    "RateLimit-Reset",
    String(resetSeconds),
  ];
}

/** Probes get their response whatever else waits. */
function isProbe({ route }: Exchange): boolean {
  return route?.startsWith("/health/") === true;
}

function isRead({ method }: Exchange): boolean {
  return method === "GET" || method === "HEAD";
}

function badEncoding(): ApiError {
  return new ApiError("bad_request", "The path has an invalid percent-encoding.");
}

function isDecodable(path: string): boolean {
  if (!path.includes("%")) {
    return true;
  }
  try {
    // The result is used, because the bundler drops a call without effect.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
