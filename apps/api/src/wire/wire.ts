import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Injectable, Optional, type OnModuleInit } from "@nestjs/common";
import { HttpAdapterHost, type AbstractHttpAdapter } from "@nestjs/core";
import type { Representation } from "../catalog/snapshot.js";
import { Foundation } from "../foundation.js";
import { KeyCache } from "../keys/key-cache.js";
import { redactKeys } from "../keys/redact-keys.js";
import { ApiError, errorOfStatus, methodNotAllowed, unavailable } from "./api-error.js";
import { CatalogResponseCache } from "./catalog-response-cache.js";
import { ClientAddress, isLocal } from "./client-address.js";
import { Connections, type Connection } from "./connections.js";
import { deprecationHeaders } from "./deprecation.js";
import { attachExchange, Exchange, requestIdOf } from "./exchange.js";
import { framingProblem } from "./framing.js";
import { isLoopBusy } from "./loop-turns.js";
import { isCounted, networkOf, RateLimit, type RateState } from "./rate-limit.js";
import {
  errorBytes,
  errorOfParser,
  isHeadOfParserError,
  originOfParserError,
  rejectConnection,
  type ParserError,
} from "./unparsed-request.js";
import { RequestMetrics } from "./request-metrics.js";
import { headersOfNotModified, ResponseHeaders, type FlatHeaders } from "./response-headers.js";

// The HTTP server below Fastify: every request begins and ends here. The front tracks connections, checks the framing and
// sends cached catalog responses, because Fastify would take as long as that. Fastify has everything else: its routes, and
// the hooks in route-hooks.ts, which ask the wire for what a response has to do with connections, callers and catalogs.

interface FrontedServer {
  putBehind(wire: Wire): void;
}

/** Handles every request. */
@Injectable()
export class Wire implements OnModuleInit {
  readonly #headers: ResponseHeaders;
  readonly #addresses: ClientAddress;
  readonly #rateLimit: RateLimit | undefined;

  constructor(
    private readonly foundation: Foundation,
    private readonly host: HttpAdapterHost<AbstractHttpAdapter & FrontedServer>,
    private readonly connections: Connections,
    private readonly keys: KeyCache,
    private readonly cache: CatalogResponseCache,
    /** Undefined if metrics are off. */
    @Optional() private readonly metrics?: RequestMetrics,
  ) {
    const { CORS_ORIGINS: origins, TRUST_PROXY: trusted, RATE_LIMIT: perMinute } = foundation.config;
    this.#headers = new ResponseHeaders(origins);
    this.#addresses = new ClientAddress(trusted);
    this.#rateLimit = perMinute === undefined ? undefined : new RateLimit(perMinute);
  }

  onModuleInit(): void {
    this.host.httpAdapter.putBehind(this);
  }

  get isKeyRequired(): boolean {
    return this.foundation.config.REQUIRE_API_KEY;
  }

  /** Handles the requests of a server; `next` is Fastify's side. */
  attach(server: Server, next: RequestListener): void {
    this.connections.watch(server);
    const handle = (request: IncomingMessage, response: ServerResponse): void => this.#handle(request, response, next);
    server.on("request", handle);
    // Node would reject expectations other than 100-continue without a body; framingProblem does it instead.
    server.on("checkExpectation", handle);
    // Node would send 100 for paths that read no body; the hooks do it for those that do.
    server.on("checkContinue", handle);
    // CONNECT requests a tunnel; Node would close the connection without a response.
    server.on("connect", (request: IncomingMessage, socket: Socket) => this.#rejectTunnel(request, socket));
  }

  /** Rejects a connection whose bytes aren't an HTTP request, with the standard error body. */
  rejectSocket(socket: Socket, error: ParserError): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    // The error itself is not logged: it contains the bytes, which may include a key.
    const logged = { problem: error.code };
    const headers = { origin: originOfParserError(error) };
    const isHead = isHeadOfParserError(error);
    this.#reject(socket, errorOfParser(error), headers, "request rejected by the HTTP parser", logged, isHead);
  }

  #handle(request: IncomingMessage, response: ServerResponse, next: RequestListener): void {
    const { connections } = this;
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
    const { connections, cache } = this;
    const { config, tracing } = this.foundation;
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
      exchange.rejection = errorOfStatus(problem);
    }
    const isRead = exchange.method === "GET" || exchange.method === "HEAD";
    const cached = isRead && problem === undefined ? cache.find(request) : undefined;
    if (cached !== undefined && this.mayReadCatalog(exchange)) {
      exchange.route = cached.route;
      exchange.loggedUrl = cached.loggedUrl;
      exchange.rejection = this.count(exchange);
      if (exchange.rejection === undefined) {
        cache.send(exchange, cached, this.#headers.of(request.headers.origin));
        return;
      }
    }
    attachExchange(exchange);
    request.url = exchange.url;
    request.method = fastifyMethod(exchange.method);
    next(request, response);
  }

  /** Counts a request for the rate limit. Returns the 429 if the limit is exceeded. */
  count(exchange: Exchange): ApiError | undefined {
    const limit = this.#rateLimit;
    if (limit === undefined || !isCounted(exchange.route) || isLocal(exchange.request)) {
      return undefined;
    }
    exchange.caller = this.#callerOf(exchange);
    return tellRate(exchange, limit, limit.count(exchange.caller));
  }

  /** Takes more units of a counted request. @throws ApiError rate_limited if its caller has none left. */
  charge(exchange: Exchange, units: number): void {
    if (this.#rateLimit === undefined || exchange.caller === undefined || units === 0) {
      return;
    }
    // Its key may be known by now.
    exchange.caller = this.#callerOf(exchange);
    const rejection = tellRate(exchange, this.#rateLimit, this.#rateLimit.charge(exchange.caller, units));
    if (rejection !== undefined) {
      throw rejection;
    }
  }

  /** Takes more units of a request that was charged, or gives some back if negative. */
  correct(exchange: Exchange, units: number): void {
    if (this.#rateLimit !== undefined && exchange.caller !== undefined && units !== 0) {
      tellRate(exchange, this.#rateLimit, this.#rateLimit.correct(exchange.caller, units));
    }
  }

  /** The 503 of a request that the process has no room for: too much waits for its turn, or to be read by clients. */
  findOverload(): ApiError | undefined {
    if (isLoopBusy()) {
      return unavailable("Too many requests are waiting right now.");
    }
    return this.connections.isFull
      ? unavailable("Too many bytes of responses are waiting to be read by clients right now.")
      : undefined;
  }

  /** Who is counted for the rate limit: an account's key, or a network. */
  #callerOf({ keyHash, request }: Exchange): string {
    return this.keys.findKnown(keyHash) ?? networkOf(this.#addresses.of(request));
  }

  /** Whether the caller may read the catalog, as far as known without a query; the guard queries the database. */
  mayReadCatalog({ keyHash }: Exchange): boolean {
    return !this.isKeyRequired || this.keys.findTrusted(keyHash) !== undefined;
  }

  /** Sends a catalog response that isn't cached. @throws ApiError as {@link CatalogResponseCache.sendNew}. */
  sendCatalog(exchange: Exchange, representation: Representation): void {
    this.cache.sendNew(exchange, representation, this.#headers.of(exchange.request.headers.origin));
  }

  commonHeaders(exchange: Exchange, status: number): FlatHeaders {
    const { id, method, request, rateHeaders } = exchange;
    const { origin } = request.headers;
    const headers = method === "OPTIONS" ? this.#headers.ofPreflight(request) : this.#headers.of(origin);
    const standard = status === 304 ? headersOfNotModified(headers) : headers;
    return ["X-Request-Id", id, ...standard, ...rateHeaders, ...deprecationHeaders(exchange)];
  }

  /** Logs, counts and traces every request. */
  #end(exchange: Exchange): void {
    const { log, tracing } = this.foundation;
    const { status, elapsedMs } = exchange;
    this.metrics?.count(exchange.route, status, elapsedMs);
    log.logRequest(exchange, status, elapsedMs, tracing?.end(exchange));
  }

  /** Rejects CONNECT. Its socket has no listeners: errors would end the process, and idle clients block shutdown. */
  #rejectTunnel(request: IncomingMessage, socket: Socket): void {
    socket.on("error", () => socket.destroy());
    socket.once("timeout", () => socket.destroy());
    socket.once("finish", () => socket.on("data", () => socket.destroy()));
    const logged = { method: "CONNECT", url: redactKeys(request.url ?? "") };
    this.#reject(socket, methodNotAllowed("CONNECT", "GET, HEAD, OPTIONS"), request.headers, "request", logged);
  }

  /** Rejects a connection, and logs and counts that. @param headers those of its request, as far as they are known. */
  #reject(
    socket: Socket,
    error: ApiError,
    headers: IncomingHttpHeaders,
    message: string,
    logged: object,
    isHead = false,
  ): void {
    rejectConnection(socket, this.connections, () => {
      const requestId = requestIdOf({ headers });
      this.foundation.log.logger.info({ requestId, ...logged, status: error.status }, message);
      this.metrics?.countRejected(error.status);
      return errorBytes(error, requestId, this.#headers.of(headers.origin), isHead);
    });
  }
}

/** Sets the headers that tell a caller's units. Returns the 429 if there are none left. */
function tellRate(
  exchange: Exchange,
  { perMinute }: RateLimit,
  { isOver, remaining, resetSeconds }: RateState,
): ApiError | undefined {
  exchange.rateHeaders = [
    "RateLimit-Limit",
    String(perMinute),
    "RateLimit-Remaining",
    String(remaining),
    "RateLimit-Reset",
    String(resetSeconds),
  ];
  if (!isOver) {
    return undefined;
  }
  const wait = resetSeconds === 1 ? "1 second" : `${resetSeconds} seconds`;
  const units = perMinute === 1 ? "1 unit" : `${perMinute} units`;
  const message = `Rate limit of ${units} per minute exceeded. Retry in ${wait}.`;
  return new ApiError("rate_limited", message, [], { "Retry-After": String(resetSeconds) });
}

/**
 * The method that Fastify sees. Its routes have three, so that each path knows all methods that it doesn't have. Node omits
 * the body of the response to HEAD by itself.
 */
function fastifyMethod(method: string): string {
  return method === "HEAD" ? "GET" : method === "GET" || method === "POST" ? method : "OPTIONS";
}
