import type * as z from "zod";
import { readValue, throwError } from "./response.js";
import { exchange, type RawResponse } from "./exchange.js";
import { ResponseCache } from "./response-cache.js";
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
    const value = readValue(response, schema);
    return { url, value, etag: this.#store(response) };
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
