import type { IncomingMessage, ServerResponse } from "node:http";
import { present } from "@gpu-offers/domain";
import type { Span } from "@opentelemetry/api";
import { keyHashOf } from "../keys/authorization.js";
import type { ApiError } from "./api-error.js";
import type { Connection } from "./connections.js";
import { requestIdOf } from "./request-id.js";
import type { FlatHeaders } from "./response-headers.js";

/** Scheme and host of an absolute URL; the host is the first group. */
export const ORIGIN = /^https?:\/\/([^/?#]*)/i;

const NONE: FlatHeaders = [];

/** Status in log and metrics if the client disconnected before the response began (as in nginx). */
const CLIENT_GONE = 499;

/** A request and its response. */
export class Exchange {
  readonly id: string;
  readonly startedMs = performance.now();
  /** Method sent by the client; Fastify sees others (see {@link Wire}). */
  readonly method: string;
  /** Path and query. An absolute URL (RFC 9112, 3.2.2) is reduced to them. */
  readonly url: string;
  /** Pattern of the path, such as `/api/v1/offers/:id`; undefined if the request matched no route. */
  route: string | undefined;
  /** Why the request is rejected, whatever its path is. */
  rejection: ApiError | undefined;
  /** The URL for the log, if already computed. */
  loggedUrl: string | undefined;
  /** The caller's address for the log; undefined if addresses aren't logged. */
  client: string | undefined;
  span: Span | undefined;
  /** RateLimit-* headers, set when the request is counted. */
  rateHeaders: FlatHeaders = NONE;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** Undefined if the connection is already closed. */
    readonly connection: Connection | undefined,
    private readonly wire: { charge: (exchange: Exchange, requests: number) => void },
  ) {
    this.id = requestIdOf(request);
    this.method = request.method ?? "";
    this.url = withoutOrigin(request.url ?? "");
  }

  /** The hash of the request's API key. A connection remembers the last one, so it is computed once. */
  get keyHash(): string | undefined {
    return this.connection === undefined ? keyHashOf(this.request) : this.connection.key.hashOf(this.request);
  }

  /** The path without its query. */
  get path(): string {
    const end = this.url.indexOf("?");
    return end === -1 ? this.url : this.url.slice(0, end);
  }

  /** Status of the response, for log and metrics. */
  get status(): number {
    return this.response.headersSent ? this.response.statusCode : CLIENT_GONE;
  }

  /** Milliseconds since the head of the request was read. */
  get elapsedMs(): number {
    return performance.now() - this.startedMs;
  }

  /** Counts a response for the rate limit that is as much work as several requests, one of which is already counted. */
  charge(requests: number): void {
    if (requests > 1) {
      this.wire.charge(this, requests - 1);
    }
  }
}

/** A request that the wire passed on. */
interface WireRequest extends IncomingMessage {
  exchange?: Exchange;
}

/** Attaches an exchange to its request, for Fastify's side. */
export function attachExchange(exchange: Exchange): void {
  (exchange.request as WireRequest).exchange = exchange;
}

/** The exchange of a raw request from the wire. */
export function exchangeOf(request: IncomingMessage): Exchange {
  return present((request as WireRequest).exchange);
}

function withoutOrigin(url: string): string {
  if (url.startsWith("/")) {
    return url;
  }
  const rest = url.replace(ORIGIN, "");
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}
