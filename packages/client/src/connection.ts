import type * as z from "zod";
import { readValue, throwError } from "./answer.js";
import { exchange, type RawAnswer } from "./exchange.js";
import { KeptAnswers } from "./kept-answers.js";
import type { Settings } from "./options.js";
import { withRetries } from "./retry.js";

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, its retries and waits included: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A checked value and what its answer said about it. */
export interface Answer<Value> {
  url: string;
  value: Value;
  /** Entity tag as it came; undefined where there was none. */
  etag: string | undefined;
}

/** A service as a client reaches it: its address, the key, the answers that may still hold. */
export class Connection {
  readonly #settings: Settings;
  readonly #kept = new KeptAnswers();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Asks for a resource until it is answered, the retries are used up, or the signal aborts.
   * @param target Path and query below baseUrl.
   * @throws ServiceError, ConnectionError, TimeoutError, AnswerError, or the signal's reason.
   */
  get<Value>(target: string, schema: z.ZodType<Value>, { signal }: CallOptions): Promise<Answer<Value>> {
    const { baseUrl, retries } = this.#settings;
    return withRetries(() => this.#attempt(baseUrl + target, schema, signal), { retries, signal });
  }

  async #attempt<Value>(url: string, schema: z.ZodType<Value>, signal: AbortSignal | undefined) {
    const { apiKey, fetch, timeoutMs } = this.#settings;
    const kept = this.#kept.find(url);
    const headers = {
      Accept: "application/json",
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(kept === undefined ? {} : { "If-None-Match": kept.etag }),
    };
    const answer = await exchange(fetch, { url, headers, timeoutMs, signal });
    if (answer.status === 304 && kept !== undefined) {
      return { url, value: readValue({ url, text: kept.text }, schema), etag: kept.etag };
    }
    if (answer.status !== 200) {
      throwError(answer, apiKey);
    }
    const value = readValue(answer, schema);
    return { url, value, etag: this.#keep(answer) };
  }

  /** Keeps what may be kept, and gives back its tag. */
  #keep({ url, headers, text }: RawAnswer): string | undefined {
    const etag = headers.get("etag") ?? undefined;
    const mayKeep = !/\bno-store\b/i.test(headers.get("cache-control") ?? "");
    if (etag !== undefined && mayKeep) {
      this.#kept.keep(url, { etag, text });
    } else {
      this.#kept.drop(url);
    }
    return etag;
  }
}
