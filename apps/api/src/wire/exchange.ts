import type { IncomingMessage, ServerResponse } from "node:http";
import { present } from "@gpu-offers/domain";
import type { Span } from "@opentelemetry/api";
import { RecentKey } from "../keys/bearer-key.js";
import type { ApiError } from "./api-error.js";
import type { Connection } from "./connections.js";
import type { FlatHeaders } from "./response-headers.js";
import { randomUUID } from "node:crypto";
import { redactKeys } from "../keys/redact-keys.js";

const SANE = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's X-Request-Id if valid (up to 128 plain characters, no API key), otherwise a new UUID. */
export function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && SANE.test(given) && redactKeys(given) === given ? given : randomUUID();
}

/** Scheme and host of an absolute URL; the host is the first group. */
export const ORIGIN = /^https?:\/\/([^/?#]*)/i;

const NONE: FlatHeaders = [];

/** Status in log and metrics if the client disconnected before the response began (as in nginx). */
const CLIENT_GONE = 499;

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
  /** The URL for the log as of loggedUrlOf, if already computed. */
  loggedUrl: string | undefined;
  /** The caller's address for the log; undefined if addresses aren't logged. */
  client: string | undefined;
  span: Span | undefined;
  /** RateLimit-* headers, set when the request is counted. */
  rateHeaders: FlatHeaders = NONE;
  /** Who was counted for the rate limit; undefined if none was. */
  caller: string | undefined;
  /** Units of work that its caller was charged. */
  #units = 1;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** Undefined if the connection is already closed. */
    readonly connection: Connection | undefined,
    private readonly limits: Limits,
  ) {
    this.id = requestIdOf(request);
    this.method = request.method ?? "";
    this.url = withoutOrigin(request.url ?? "");
  }

  /** The hash of the request's API key. A connection remembers the last one, so it is computed once. */
  get keyHash(): string | undefined {
    return (this.connection?.key ?? new RecentKey()).hashOf(this.request);
  }

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

  /**
   * Takes the units of work of this request from its caller, one of which is already counted. Call it before the work; a
   * larger number later takes the difference.
   * @throws ApiError rate_limited.
   */
  admit(units: number): void {
    const more = units - this.#units;
    if (more > 0) {
      this.limits.charge(this, more);
      this.#units = units;
    }
  }

  /** Corrects the units to what the work turned out to be. */
  settle(units: number): void {
    const used = Math.max(1, units);
    this.limits.correct(this, used - this.#units);
    this.#units = used;
  }
}

type Limits = Record<"charge" | "correct", (exchange: Exchange, units: number) => void>;

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
