import type { LiveRequest, LiveResponse } from "@gpu-offers/sources";
import pRetry from "p-retry";
import { Agent, request as send, type Dispatcher } from "undici";
import { codeOf, parseRetryAfter } from "@gpu-offers/domain";
import { checkHost, checkedLookup, resolveHost, type Resolve } from "./addresses.js";
import { systemClock, type Clock } from "./clock.js";
import { readBody } from "./response-body.js";
import { TransportError } from "./transport-error.js";

// The only code that sends requests to other servers. It trusts no server: HTTPS to known hosts at public addresses only,
// with limits on time, size and compression. All errors are TransportErrors, whose messages have no URL, host or secret.

interface TransportLimits {
  connectMs: number;
  /** Until the first byte of a response, and between bytes. */
  silenceMs: number;
  /** One request including redirects, without retries. */
  requestMs: number;
  attempts: number;
  retryMs: { min: number; max: number };
  /** Maximum Retry-After; beyond it the run fails and the source is due that much later. */
  retryAfterMs: number;
}

const LIMITS: TransportLimits = {
  connectMs: 5_000,
  silenceMs: 15_000,
  requestMs: 60_000,
  attempts: 3,
  retryMs: { min: 1_000, max: 30_000 },
  retryAfterMs: 60_000,
};

const MAX_REDIRECTS = 3;

/** Options of a transport, which serves one run of one source. */
export interface TransportOptions {
  /** The only allowed hosts for requests and redirects. */
  hosts: readonly string[];
  maxBytes: number;
  spacingMs: number;
  /** URL that replaces scheme, host and port of all requests. */
  base?: string | undefined;
  /** Allow http and private addresses, for the operator's own proxies and for tests. */
  allowPrivate: boolean;
  userAgent: string;
  signal?: AbortSignal;
  limits?: Partial<TransportLimits>;
  resolve?: Resolve;
  clock?: Clock;
  /** Called for each attempt with the response's status or an error code. */
  onAttempt?: (outcome: string) => void;
}

/** Validators of a cached response. */
export interface Validators {
  etag?: string | null;
  lastModified?: string | null;
}

/** A response; `notModified`, without a body, if the cached one is current. */
export type TransportResponse = LiveResponse & { notModified: boolean };

interface Sent extends Pick<LiveRequest, "method"> {
  url: URL;
  headers: Record<string, string>;
  body: LiveRequest["body"] | undefined;
}

const RETRYABLE = { isRetryable: true };
const UNRESOLVED = "The provider's host cannot be resolved.";

/** Sends the requests of one run, one after the other. */
export class Transport {
  readonly #limits: TransportLimits;
  readonly #agent: Agent;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** Start of the last request to each host, by the monotonic clock. */
  readonly #lastAt = new Map<string, number>();
  /** Hosts that couldn't be resolved, retries included. Retrying for each scope would take minutes. */
  readonly #unresolved = new Set<string>();

  constructor(private readonly options: TransportOptions) {
    this.#limits = { ...LIMITS, ...options.limits };
    this.#clock = options.clock ?? systemClock;
    this.#signal = options.signal ?? new AbortController().signal;
    const { connectMs, silenceMs } = this.#limits;
    this.#agent = new Agent({
      connect: { timeout: connectMs, lookup: checkedLookup(options.resolve ?? resolveHost, options.allowPrivate) },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      maxHeaderSize: 32 * 1024,
      connections: 1,
      pipelining: 1,
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /**
   * Sends a request, with retries of transient errors. A host that couldn't be resolved isn't tried again.
   * @throws TransportError.
   */
  async send(request: LiveRequest, validators: Validators = {}): Promise<TransportResponse> {
    const { attempts, retryMs } = this.#limits;
    try {
      return await pRetry(() => this.#attempt(request, validators), {
        retries: attempts - 1,
        minTimeout: retryMs.min,
        maxTimeout: retryMs.max,
        randomize: true,
        shouldRetry: ({ error }) => error instanceof TransportError && error.isRetryable && !this.#isLong(error),
        onFailedAttempt: async ({ error, retriesLeft }) => {
          const waitMs = error instanceof TransportError && !this.#isLong(error) ? error.retryAfterMs : undefined;
          if (waitMs !== undefined && retriesLeft > 0) {
            await this.#clock.sleep(waitMs, this.#signal);
          }
        },
        signal: this.#signal,
      });
    } catch (error) {
      if (error instanceof TransportError && error.host !== undefined) {
        this.#unresolved.add(error.host);
      }
      throw this.#signal.aborted && !(error instanceof TransportError)
        ? new TransportError("timeout", "The run took too long.")
        : error;
    }
  }

  #isLong({ retryAfterMs }: TransportError): boolean {
    return retryAfterMs !== undefined && retryAfterMs > this.#limits.retryAfterMs;
  }

  async #attempt(request: LiveRequest, validators: Validators): Promise<TransportResponse> {
    try {
      const response = await this.#follow(request, validators);
      this.options.onAttempt?.(String(response.status));
      return response;
    } catch (error) {
      const failure = toTransportError(error);
      this.options.onAttempt?.(failure.status === undefined ? failure.code : String(failure.status));
      throw failure;
    }
  }

  async #follow(request: LiveRequest, validators: Validators): Promise<TransportResponse> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(this.#limits.requestMs)]);
    const { method, body } = request;
    const headers = this.#headersOf(request, validators);
    let next: Sent = { url: this.#based(new URL(request.url)), headers, method, body };
    for (let redirects = 0; ; redirects++) {
      const response = await this.#sendOnce(next, signal);
      const location = redirectOf(response);
      if (location === undefined) {
        return this.#read(request, response, signal);
      }
      // The body isn't needed, so the connection isn't kept for it.
      response.body.on("error", () => {}).destroy();
      if (redirects >= MAX_REDIRECTS) {
        throw new TransportError("too_many_redirects", `The provider redirected more than ${MAX_REDIRECTS} times.`);
      }
      next = redirected(next, response.statusCode, location);
    }
  }

  async #sendOnce({ url, method, headers, body }: Sent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    this.#check(url);
    if (this.#unresolved.has(url.host)) {
      throw new TransportError("dns", UNRESOLVED);
    }
    await this.#space(url.host, signal);
    try {
      return await send(url.href, { method, headers, body: body ?? null, signal, dispatcher: this.#agent });
    } catch (error) {
      const { code, message, isRetryable } = toTransportError(error);
      throw code === "dns" ? new TransportError(code, message, { isRetryable, host: url.host }) : error;
    }
  }

  #based(url: URL): URL {
    const { base } = this.options;
    if (base === undefined) {
      return url;
    }
    const { origin, pathname } = new URL(base);
    return new URL(`${pathname.replace(/\/$/, "")}${url.pathname}${url.search}`, origin);
  }

  #headersOf({ headers }: LiveRequest, { etag, lastModified }: Validators): Record<string, string> {
    return {
      accept: "application/json, */*;q=0.5",
      ...headers,
      "accept-encoding": "gzip",
      "user-agent": this.options.userAgent,
      ...(etag === undefined || etag === null ? {} : { "if-none-match": etag }),
      ...(lastModified === undefined || lastModified === null ? {} : { "if-modified-since": lastModified }),
    };
  }

  #check(url: URL): void {
    const { hosts, base, allowPrivate } = this.options;
    if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) {
      throw new TransportError("not_https", "The provider's URL is not https.");
    }
    const known = base === undefined ? hosts : [...hosts, new URL(base).hostname];
    if (!known.includes(url.hostname) && !known.includes(url.host)) {
      throw new TransportError("foreign_host", "The provider redirected to a host that is not allowed.");
    }
    if (!allowPrivate) {
      checkHost(url);
    }
  }

  /** Waits until another request may be sent to a host. */
  async #space(host: string, signal: AbortSignal): Promise<void> {
    const lastAt = this.#lastAt.get(host);
    const waitMs = lastAt === undefined ? 0 : lastAt + this.options.spacingMs - this.#clock.monotonic();
    if (waitMs > 0) {
      await this.#clock.sleep(waitMs, signal);
    }
    this.#lastAt.set(host, this.#clock.monotonic());
  }

  async #read(
    request: LiveRequest,
    response: Dispatcher.ResponseData,
    signal: AbortSignal,
  ): Promise<TransportResponse> {
    const { statusCode: status } = response;
    const headers = headersOf(response.headers);
    const head = { request, status, headers };
    if (status === 304) {
      await response.body.dump();
      return { ...head, body: new Uint8Array(), notModified: true };
    }
    if (status < 200 || status > 299) {
      response.body.on("error", () => {}).destroy();
      throw statusError(status, headers, this.#clock.now());
    }
    const body = await readBody(response.body, headers["content-encoding"], this.options.maxBytes, signal);
    return { ...head, body, notModified: false };
  }
}

function redirected({ url, method, headers, body }: Sent, status: number, location: string): Sent {
  const target = URL.parse(location, url.href);
  if (target === null) {
    throw new TransportError("http_error", "The provider redirected to an invalid URL.", { status });
  }
  const next = { url: target, headers: target.host === url.host ? headers : withoutCredentials(headers) };
  const isGet = method === "POST" && [301, 302, 303].includes(status);
  return isGet ? { ...next, method: "GET", body: undefined } : { ...next, method, body };
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const { location } = headers;
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === "string" ? location : undefined;
}

/** Redirects to other hosts carry standard headers only. */
function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  const kept = new Set(["accept", "accept-encoding", "user-agent", "content-type"]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.has(name.toLowerCase())));
}

function headersOf(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

function statusError(status: number, headers: Readonly<Record<string, string>>, nowMs: number): TransportError {
  const { "retry-after": retryAfter, date } = headers;
  const retryAfterMs = parseRetryAfter({ retryAfter, date }, nowMs);
  const more = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  if (status === 401 || status === 403) {
    return new TransportError("unauthorized", `The provider rejected the request (HTTP ${status}).`, more);
  }
  if (status === 429) {
    const message = "The provider is rate limiting requests (HTTP 429).";
    return new TransportError("rate_limited", message, { ...more, ...RETRYABLE });
  }
  const isRetryable = status === 408 || status >= 500;
  return new TransportError("http_error", `The provider responded with HTTP ${status}.`, { ...more, isRetryable });
}

/** Converts errors of undici, zlib and the operating system, whose messages may name hosts and addresses. */
function toTransportError(error: unknown): TransportError {
  const known = [error, error instanceof Error ? error.cause : undefined].find((one) => one instanceof TransportError);
  if (known !== undefined) {
    return known;
  }
  const code = codeOf(error);
  if (/TIMEOUT|ETIMEDOUT/.test(code) || (error instanceof Error && error.name === "TimeoutError")) {
    return new TransportError("timeout", "The provider did not respond in time.", RETRYABLE);
  }
  if (error instanceof Error && error.name === "AbortError") {
    return new TransportError("timeout", "The run took too long.");
  }
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return new TransportError("dns", UNRESOLVED, RETRYABLE);
  }
  if (/^(?:Z_|ERR_ZLIB)/.test(code)) {
    return new TransportError("bad_encoding", "The compressed response is damaged or incomplete.", RETRYABLE);
  }
  const named = code === "" ? "" : ` (${code})`;
  return new TransportError("network", `The connection to the provider failed${named}.`, RETRYABLE);
}
