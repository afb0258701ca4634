import { errorBodySchema } from "@gpu-offers/domain";
import type * as z from "zod";
import { ResponseError, ServiceError } from "./errors.js";
import { exchange, retryAfterMsOf, type RawResponse } from "./exchange.js";
import type { Settings } from "./options.js";
import { withRetries } from "./retry.js";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call including retries and waits: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A validated value and facts about its response. */
export interface HttpResponse<Value> {
  url: string;
  value: Value;
  /** Entity tag; undefined if there was none. */
  etag: string | undefined;
}

/** Connection to a service: its URL, the key, and cached responses. */
export class Connection {
  readonly #cache = new ResponseCache();

  constructor(private readonly settings: Settings) {}

  /**
   * Requests a resource, with retries, until it succeeds, all retries have failed, or the signal aborts.
   * @param target Path and query below baseUrl.
   * @throws ServiceError, ConnectionError, TimeoutError, ResponseError, or the signal's reason.
   */
  get<Value>(target: string, schema: z.ZodType<Value>, { signal }: CallOptions): Promise<HttpResponse<Value>> {
    const { baseUrl, retries } = this.settings;
    return withRetries(() => this.#attempt(baseUrl + target, schema, signal), { retries, signal });
  }

  async #attempt<Value>(url: string, schema: z.ZodType<Value>, signal: AbortSignal | undefined) {
    const { apiKey, fetch, timeoutMs } = this.settings;
    const cached = this.#cache.get(url);
    const headers = {
      Accept: "application/json",
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(cached === undefined ? {} : { "If-None-Match": cached.etag }),
    };
    const response = await exchange(fetch, { url, headers, timeoutMs, signal });
    if (response.status === 304 && cached !== undefined) {
      return { url, value: readValue({ url, text: cached.text }, schema), etag: cached.etag };
    }
    if (response.status !== 200) {
      throwError(response, apiKey);
    }
    return { url, value: readValue(response, schema), etag: this.#store(response) };
  }

  /** Caches a cacheable response. Returns its tag. */
  #store({ url, headers, text }: RawResponse): string | undefined {
    const etag = headers.get("etag") ?? undefined;
    const mayKeep = !/\bno-store\b/i.test(headers.get("cache-control") ?? "");
    if (etag !== undefined && mayKeep) {
      this.#cache.set(url, { etag, text });
    } else {
      this.#cache.delete(url);
    }
    return etag;
  }
}

/**
 * Parses the value of a 200. New fields are dropped, new values of open fields are accepted.
 * @throws ResponseError if it isn't JSON, or doesn't match the schema.
 */
function readValue<Value>(response: Pick<RawResponse, "url" | "text">, schema: z.ZodType<Value>): Value {
  const facts = { url: response.url, status: 200 };
  return check(parse(response.text, facts), schema, facts);
}

/**
 * Throws the error of a response other than 200.
 * @param apiKey Redacted if the response repeats it.
 * @throws ServiceError for status 400 or above with the interface's error body, otherwise ResponseError.
 */
function throwError(response: RawResponse, apiKey: string | undefined): never {
  const { url, status, headers, text } = response;
  const facts = { url, status, retryAfterMs: retryAfterMsOf(headers) };
  if (status < 400) {
    throw new ResponseError("has a status that the API does not define", facts);
  }
  const redact = (_: string, value: unknown): unknown =>
    typeof value === "string" && apiKey !== undefined ? value.replaceAll(apiKey, "***") : value;
  throw new ServiceError(check(parse(text, facts, redact), errorBodySchema, facts), facts);
}

type Facts = ConstructorParameters<typeof ResponseError>[1];

function parse(text: string, facts: Facts, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    // The engine's error is not set as cause, because it quotes the text, which may contain the key.
    const hint = text.trimStart().startsWith("<") ? " but looks like a web page" : "";
    throw new ResponseError(`is not JSON${hint}`, facts);
  }
}

function check<Value>(value: unknown, schema: z.ZodType<Value>, facts: Facts): Value {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const [first] = result.error.issues;
  const place = first === undefined || first.path.length === 0 ? "body" : first.path.join(".");
  throw new ResponseError(`does not match the API: ${place}: ${first?.message}`, { ...facts, cause: result.error });
}

interface CachedResponse {
  /** Its entity tag. */
  etag: string;
  /** Its body as text, not as a value, which callers may modify. */
  text: string;
}

/** Maximum characters of cached URLs and bodies: about 25,000 offers. */
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/** Caches the latest response of each URL. Evicts the least recently used ones. */
export class ResponseCache {
  readonly #responses = new Map<string, CachedResponse>();
  #characters = 0;

  constructor(private readonly maxCharacters = MAX_CACHED_CHARACTERS) {}

  /** The cached response of a URL; undefined if there is none. */
  get(url: string): CachedResponse | undefined {
    const response = this.#responses.get(url);
    if (response !== undefined) {
      // A Map keeps insertion order, so the first entry is the least recently used one.
      this.#responses.delete(url);
      this.#responses.set(url, response);
    }
    return response;
  }

  /** Caches a response, unless it alone exceeds the maximum. */
  set(url: string, response: CachedResponse): void {
    this.delete(url);
    const characters = sizeOf(url, response);
    if (characters > this.maxCharacters) {
      return;
    }
    this.#responses.set(url, response);
    this.#characters += characters;
    for (const oldest of this.#responses.keys()) {
      if (this.#characters <= this.maxCharacters) {
        break;
      }
      this.delete(oldest);
    }
  }

  /** Removes the response of a URL. */
  delete(url: string): void {
    const response = this.#responses.get(url);
    if (response !== undefined) {
      this.#responses.delete(url);
      this.#characters -= sizeOf(url, response);
    }
  }
}

function sizeOf(url: string, { etag, text }: CachedResponse): number {
  return url.length + etag.length + text.length;
}
