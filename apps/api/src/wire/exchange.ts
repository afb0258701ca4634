import type { IncomingMessage, ServerResponse } from "node:http";
import type { Span } from "@opentelemetry/api";
import { keyHashOf } from "../keys/authorization.js";
import type { Representation } from "../catalog/snapshot.js";
import { requestIdOf } from "./request-id.js";
import type { FlatHeaders } from "./response-headers.js";

/** What stands before the path in a whole URL; the host is its first group. */
export const ORIGIN = /^https?:\/\/([^/?#]*)/i;

const NONE: FlatHeaders = [];

/** Status in log and metrics of a request whose client went away before the response began (as nginx has it). */
const CLIENT_GONE = 499;

/** One request and its response, whoever writes it. */
export class Exchange {
  readonly id: string;
  readonly startedMs = performance.now();
  /** As the client sent it; Nest sees HEAD as GET. */
  readonly method: string;
  /** Path and query. A whole URL may stand for its path (RFC 9112, 3.2.2) and is the same resource. */
  readonly url: string;
  /** Pattern of the path, such as `/api/v1/offers/:id`; undefined if the request matched no route. */
  route: string | undefined;
  /** The URL as the log has it, where that is known already. */
  loggedUrl: string | undefined;
  span: Span | undefined;
  /** RateLimit-* headers, once the request was counted. */
  rateHeaders: FlatHeaders = NONE;
  #keyHash: string | undefined | null = null;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** Keeps what Nest represented for this URL, so that the next request needs no Nest. */
    readonly remember: (exchange: Exchange, representation: Representation) => void,
  ) {
    this.id = requestIdOf(request);
    this.method = request.method ?? "";
    this.url = withoutOrigin(request.url ?? "");
  }

  /** The hash of the API key that the request sends; read and hashed once. */
  get keyHash(): string | undefined {
    if (this.#keyHash === null) {
      this.#keyHash = keyHashOf(this.request);
    }
    return this.#keyHash;
  }

  /** The path without its query. */
  get path(): string {
    const end = this.url.indexOf("?");
    return end === -1 ? this.url : this.url.slice(0, end);
  }

  /** Status of the response, for the log and the metrics. */
  get status(): number {
    return this.response.headersSent ? this.response.statusCode : CLIENT_GONE;
  }

  /** Milliseconds since the head of the request was read. */
  get elapsedMs(): number {
    return performance.now() - this.startedMs;
  }
}

/** A request that came over the wire knows its exchange; one that a test injects into Nest does not. */
interface WireRequest extends IncomingMessage {
  exchange?: Exchange;
}

/** Ties an exchange to its request, for what Nest's side needs of it. */
export function attachExchange(exchange: Exchange): void {
  (exchange.request as WireRequest).exchange = exchange;
}

/** The exchange of a raw request; undefined if it did not come over the wire. */
export function exchangeOf(request: IncomingMessage): Exchange | undefined {
  return (request as WireRequest).exchange;
}

function withoutOrigin(url: string): string {
  if (url.startsWith("/")) {
    return url;
  }
  const rest = url.replace(ORIGIN, "");
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}
