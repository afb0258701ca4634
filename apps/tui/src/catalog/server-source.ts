import type http from "node:http";
import { createRequire } from "node:module";
import { pipeline, type Readable } from "node:stream";
import type zlib from "node:zlib";
import {
  createClient,
  isClientError,
  ServiceError,
  type ClientOptions,
  type Fetch,
  type ListingsEvent,
} from "@gpu-offers/client";
import {
  atPrice,
  isDoorDefault,
  isListingParameter,
  leftOut,
  LISTING_FILTER_NAMES,
  nearTexts,
  shellWord,
  type ListedOffer,
  type Listed,
} from "@gpu-offers/domain";
import { ageOf, UNKNOWN_AGE } from "@gpu-offers/list";
import type { Failure } from "../exit-codes.js";
import { SLOW_AFTER_MS, type FindQuery, type Matches, type OfferSource } from "./offer-source.js";
import { problemOf, OfferSourceError } from "./offer-source-error.js";
import { rejectionOf } from "./query-words.js";

const require = createRequire(import.meta.url);

/** Connection settings of a server. */
export interface ServerOptions extends Pick<ClientOptions, "apiKey" | "retries" | "timeoutMs"> {
  url: string;
  /** Called if a call has no result after {@link SLOW_AFTER_MS}. The call continues until its timeout. */
  onSlow?: (() => void) | undefined;
}

/** Timeout for ages of prices, which are optional. */
const AGE_TIMEOUT_MS = 2000;

const MAX_NEAR_TEXTS = 6;

export function serverSource({ url, apiKey, retries = 2, timeoutMs, onSlow }: ServerOptions): OfferSource {
  const client = createClient({ baseUrl: url, apiKey, retries, timeoutMs, fetch: httpFetch });
  let last: ({ query: FindQuery } & Omit<Matches, "offers">) | undefined;

  /** Waits for a call including its retries, and reports if it takes long. */
  const get = async <Value>(call: Promise<Value>): Promise<Value> => {
    const timer = onSlow && setTimeout(onSlow, SLOW_AFTER_MS);
    try {
      return await call;
    } catch (error) {
      throw rejectionOfQuery(error) ?? new OfferSourceError(problemOf(error, { url, hasKey: apiKey !== undefined }));
    } finally {
      clearTimeout(timer);
    }
  };
  const find = <Value>(call: Promise<Value>): Promise<Value | undefined> =>
    get(
      call.catch((error: unknown) => {
        if (error instanceof ServiceError && error.status === 404) {
          return undefined;
        }
        throw error;
      }),
    );
  const count = async (query: FindQuery): Promise<number> =>
    (await get(client.listListings({ ...query, page: 0, size: 1 }))).totalElements;
  const pages = async function* (query: FindQuery, signal?: AbortSignal): AsyncGenerator<ListingsEvent> {
    const events = client.allListings(query, { signal });
    try {
      for (;;) {
        const { done, value: event } = await get(events.next());
        if (done === true) {
          return;
        }
        yield event;
      }
    } finally {
      await events.return();
    }
  };

  return {
    place: url,
    options: `--url ${shellWord(url)}`,
    hasAccount: apiKey !== undefined,
    list: async function* (order = {}, signal) {
      for await (const event of pages({ ...order, verified: "any" }, signal)) {
        yield event.kind === "page"
          ? { kind: "page", offers: event.listings.map(listedOffer), total: event.totalElements }
          : { kind: "restart" };
      }
    },
    find: async (query, limit = Number.POSITIVE_INFINITY) => {
      const spot = query.spot === "false" ? undefined : query.spot;
      let offers: ListedOffer[] = [];
      let said: Omit<Matches, "offers"> = { total: 0, understood: [], excludedBy: {} };
      for await (const event of pages(query)) {
        if (event.kind === "restart") {
          offers = [];
          continue;
        }
        const { listings, totalElements: total, understood, excludedBy = {} } = event;
        offers = offers.concat(listings.map((listing) => atPrice(listedOffer(listing), spot)));
        said = { total, understood, excludedBy };
        if (offers.length >= limit) {
          break;
        }
      }
      last = { query, ...said };
      return { offers: offers.slice(0, limit), ...said };
    },
    findNear: async (query, { understood }) => {
      const unknown = understood.flatMap(({ text, nearest }) => (nearest === undefined ? [] : [{ text, nearest }]));
      for (const text of nearTexts(query.q ?? "", unknown).slice(0, MAX_NEAR_TEXTS)) {
        const matches = await count({ ...query, q: text });
        if (matches > 0) {
          return { text, count: matches };
        }
      }
      return undefined;
    },
    countLeftOut: async () => {
      if (last === undefined) {
        return [];
      }
      const { query, total, excludedBy } = last;
      const counts = LISTING_FILTER_NAMES.filter((name) => isDoorDefault(name, query)).map(async (name) => {
        const left = total === 0 ? excludedBy[name] : (await count({ ...query, [name]: undefined })) - total;
        return [name, left ?? 0] as const;
      });
      return leftOut(query, new Map(await Promise.all(counts)));
    },
    listRejected: async () => [],
    findOffer: async (id, signal) => {
      const listing = await find(client.getListing(id, { signal }));
      return listing && listedOffer(listing);
    },
    findImages: async (provider, options = {}) => {
      const instanceType = options.instanceType ?? undefined;
      return (await find(client.listOsImages(provider, { ...options, instanceType })))?.data;
    },
    readAge: async ({ signal, timeoutMs: ageTimeoutMs = AGE_TIMEOUT_MS } = {}) => {
      const timeout = AbortSignal.timeout(ageTimeoutMs);
      try {
        return ageOf(await client.listSources({ signal: signal ? AbortSignal.any([signal, timeout]) : timeout }));
      } catch (error) {
        signal?.throwIfAborted();
        if (timeout.aborted || isClientError(error)) {
          return UNKNOWN_AGE;
        }
        throw error;
      }
    },
    findHistory: (id, signal) => find(client.getPriceHistory(id, { signal })),
    listGpus: async (signal) => (await get(client.listGpus({ signal }))).gpus,
    findGpuPrices: (name, range, signal) => find(client.getGpuPrices(name, { ...range, signal })),
    listProviders: async (signal) => (await get(client.listProviders({ signal }))).data,
    getAccount: (signal) => get(client.getAccount({ signal })),
    getBalance: (signal) => get(client.getBalance({ signal })),
  };
}

/** A query or an id that the service rejects is a failure of its flags; undefined for other errors. */
function rejectionOfQuery(error: unknown): Failure | undefined {
  const details = error instanceof ServiceError && error.code === "invalid_parameter" ? error.details : [];
  const ofId = details.find(({ name }) => name === "id");
  if (ofId !== undefined) {
    return new OfferSourceError({ kind: "file", message: `the id ${ofId.reason}.` });
  }
  const problems = details.flatMap(({ name, reason }) =>
    isListingParameter(name) ? [{ parameter: name, reason }] : [],
  );
  return problems.length === 0 ? undefined : rejectionOf(problems);
}

/** The offer of a listing with its facts, without what else a listing has. */
function listedOffer(listing: Listed & { images?: unknown }): ListedOffer {
  const { offer, facts: _, total: __, rentUrl: ___, images: ____, ...stated } = listing;
  const { pricesAsOf: _____, isStale: ______, stock: _______, source: ________, ...own } = stated;
  return { ...offer, listing: own };
}

/** Longer than a service on this machine needs; another program there may never respond. */
const PROBE_TIMEOUT_MS = 1000;

/** Whether a gpu-offers service responds there. Another program doesn't count, whatever it responds. */
export async function isServiceAt(url: string): Promise<boolean> {
  try {
    const client = createClient({ baseUrl: url, retries: 0, timeoutMs: PROBE_TIMEOUT_MS, fetch: httpFetch });
    await client.listProviders();
    return true;
  } catch (error) {
    if (!isClientError(error)) {
      throw error;
    }
    return error.kind === "service" && error.status !== 404;
  }
}

/**
 * Sends the client's requests through node:http. Loading the platform's fetch takes 60 ms, a quarter of the time until
 * the picker shows offers.
 */
export const httpFetch: Fetch = (url, { method, headers, signal }) =>
  new Promise((resolve, reject) => {
    // An import would load fetch as well, because node:http exports some of its classes.
    const { request } = require(url.startsWith("https:") ? "node:https" : "node:http") as typeof http;
    const sent = request(url, { method, headers: { ...headers, "Accept-Encoding": "gzip" }, signal }, (response) => {
      const body = decoded(response);
      const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
      const cancel = (): Promise<void> => {
        body.destroy();
        return Promise.resolve();
      };
      resolve({
        // Set in every response to a request of ours.
        status: response.statusCode as number,
        type: "basic",
        headers: { get: (name) => [response.headers[name.toLowerCase()] ?? null].flat().join(", ") || null },
        body: { getReader: () => ({ read: () => chunks.next(), cancel }), cancel },
      });
    });
    sent.on("error", reject);
    sent.end();
  });

/** The body of a response. Destroying it closes the connection. */
function decoded(response: http.IncomingMessage): Readable {
  if (response.headers["content-encoding"] !== "gzip") {
    return response;
  }
  const { createGunzip } = require("node:zlib") as typeof zlib;
  // Errors reach the reader of the last stream.
  return pipeline(response, createGunzip(), () => {});
}
