import type { IncomingMessage, ServerResponse } from "node:http";
import { IMAGE_LIST_LIFETIME_SECONDS } from "@gpu-offers/domain";
import { LRUCache } from "lru-cache";
import { Injectable } from "@nestjs/common";
import { Catalog } from "../catalog/catalog.js";
import type { Representation, Snapshot } from "../catalog/snapshot.js";
import type { Freshness } from "@gpu-offers/store/freshness";
import { Foundation } from "../foundation.js";
import { loggedUrlOf } from "../log.js";
import { unavailable } from "./api-error.js";
import { deprecationHeaders } from "./deprecation.js";
import type { Exchange } from "./exchange.js";
import { hasTag } from "./entity-tag.js";
import { wantsLines } from "./accepted.js";
import { cacheControl, headersOfNotModified, JSON_TYPE, type FlatHeaders } from "./response-headers.js";

/** Number of responses that wait at most, so that the first of them isn't late when thousands of requests arrive at once. */
const MOST_WAITING = 32;

interface Ready {
  response: ServerResponse;
  status: number;
  headers: string[];
  body: Buffer | undefined;
}

/**
 * Sends the responses to requests that arrived together, together: after the last of them is ready, in the same turn of the
 * event loop. Written one by one between computing them, each would wake its client, or the proxy that all of them came
 * from. That is the most expensive part of a response: without it, lists take two thirds of the processor time.
 */
class Outbox {
  #waiting: Ready[] = [];

  /** Sends a response at the end of this turn. `headers` are all but those that Node adds. */
  add(ready: Ready): void {
    this.#waiting.push(ready);
    if (this.#waiting.length === 1) {
      setImmediate(() => this.#send());
    } else if (this.#waiting.length === MOST_WAITING) {
      this.#send();
    }
  }

  #send(): void {
    const ready = this.#waiting;
    this.#waiting = [];
    for (const { response, status, headers, body } of ready) {
      response.writeHead(status, headers);
      response.end(body);
    }
  }
}

const MAX_BYTES = 32 * 2 ** 20;

/** Maximum length of a cached URL, in characters. */
const MAX_URL_LENGTH = 1_024;

/** Number of URLs whose first request is remembered. */
const MAX_REQUESTED = 2 ** 14;

/** Approximate bytes of an entry besides its body and URL. */
const ENTRY_BYTES = 1_024;

/** A catalog response, ready to be sent. */
export interface CatalogResponse {
  route: string;
  representation: Representation;
  /** Its URL for the log, a JSON string with keys redacted; undefined in a response that isn't cached. */
  loggedUrl: string | undefined;
  /** Undefined until it is first sent. */
  ready: ReadyHeaders | undefined;
}

/** All headers except per-request ones, and what they were built from; of each status, once it was sent. */
interface ReadyHeaders {
  common: FlatHeaders;
  freshness: Freshness;
  own: FlatHeaders;
  ok: FlatHeaders | undefined;
  notModified: FlatHeaders | undefined;
}

/**
 * Caches catalog responses by the exact text of their URLs. The cache belongs to one snapshot and is discarded with it.
 * Catalog bodies don't depend on the account, so all callers with access to the catalog share them.
 */
@Injectable()
export class CatalogResponseCache {
  readonly #responses = new LRUCache<string, CatalogResponse>({ maxSize: MAX_BYTES });
  /** Hashes of URLs that were requested once, each at a place of its own: keeping the texts takes longer than to find a page. */
  readonly #requested = new Uint32Array(MAX_REQUESTED);
  readonly #outbox = new Outbox();
  #snapshot: Snapshot | undefined;
  #sent = 0;

  constructor(
    private readonly catalog: Catalog,
    private readonly foundation: Foundation,
  ) {}

  get sent(): number {
    return this.#sent;
  }

  /** Approximate bytes in the cache. */
  get bytes(): number {
    return this.#responses.calculatedSize;
  }

  /** The cached response to a GET or HEAD; undefined if there is none, or if it has expired. */
  find({ url = "", headers }: IncomingMessage): CatalogResponse | undefined {
    if (this.catalog.snapshot !== this.#snapshot) {
      this.#responses.clear();
      this.#requested.fill(0);
      this.#snapshot = this.catalog.snapshot;
      return undefined;
    }
    const found = this.#responses.get(url);
    if (found === undefined || !this.catalog.mayServe(found.representation)) {
      return undefined;
    }
    // Listings are cached as JSON alone.
    return found.representation.traits.listings !== undefined && wantsLines(headers.accept) ? undefined : found;
  }

  /** Sends and caches a response. @throws ApiError unavailable if an image list is older than an hour. */
  sendNew(exchange: Exchange, representation: Representation, common: FlatHeaders): void {
    if (!this.catalog.mayServe(representation)) {
      throw unavailable("The image list is older than an hour and cannot be reloaded at the moment.");
    }
    this.#remember(exchange, representation);
    this.send(exchange, { route: "", representation, loggedUrl: undefined, ready: undefined }, common);
  }

  /** Caches a response that is about to be sent, if its URL was requested before: most others never come again. */
  #remember({ request: { url = "" }, url: path, route }: Exchange, representation: Representation): void {
    const { snapshot, body } = representation;
    // The snapshot may have been replaced. Absolute URLs as request targets are rare, so they aren't cached.
    if (snapshot !== this.#snapshot || route === undefined || url !== path || url.length > MAX_URL_LENGTH) {
      return;
    }
    const hash = hashOf(url);
    const place = hash % MAX_REQUESTED;
    if (this.#requested[place] !== hash) {
      this.#requested[place] = hash;
      return;
    }
    const size = body.length + url.length * 2 + ENTRY_BYTES;
    this.#responses.set(url, { route, representation, loggedUrl: loggedUrlOf(url), ready: undefined }, { size });
  }

  /** Sends a response, or a 304 without a body if the client's copy is current. */
  send(exchange: Exchange, found: CatalogResponse, common: FlatHeaders): void {
    const { id, rateHeaders, request, response } = exchange;
    if (found.loggedUrl !== undefined) {
      this.#sent++;
    }
    const { representation } = found;
    const status = hasTag(request.headers, representation.etag) ? 304 : 200;
    const ready = this.#readyHeaders(found, common, status);
    this.#outbox.add({
      response,
      status,
      // Spreads would copy the list several times while it grows.
      headers: ["X-Request-Id", id].concat(rateHeaders, deprecationHeaders(exchange), ready),
      body: status === 304 ? undefined : representation.body,
    });
  }

  #readyHeaders(found: CatalogResponse, common: FlatHeaders, status: 200 | 304): FlatHeaders {
    const { representation } = found;
    let { ready } = found;
    const { freshness } = this.catalog;
    // The headers of an image list include its age, which changes.
    if (ready?.common !== common || ready.freshness !== freshness || representation.isImageList) {
      const own = catalogHeaders(representation, this.catalog, this.foundation.config.REQUIRE_API_KEY);
      ready = found.ready = { common, freshness, own, ok: undefined, notModified: undefined };
    }
    if (status === 304) {
      return (ready.notModified ??= headersOfNotModified(common).concat(ready.own));
    }
    const length = String(representation.body.length);
    return (ready.ok ??= common.concat(ready.own, "Content-Type", JSON_TYPE, "Content-Length", length));
  }
}

/** Headers of every catalog response, including 304. The age of its prices changes without a new snapshot. */
function catalogHeaders(
  { etag, isImageList, providers, traits }: Representation,
  catalog: Catalog,
  isPrivate: boolean,
): FlatHeaders {
  const { asOf, stale } = catalog.freshness.ageOf(providers);
  const control = cacheControl(isPrivate, isImageList ? IMAGE_LIST_LIFETIME_SECONDS : 0);
  const headers = ["ETag", etag, "Cache-Control", control];
  if (traits.listings !== undefined) {
    headers.push("Vary", "Accept");
  }
  if (isImageList) {
    headers.push("Age", String(catalog.ageSeconds ?? 0));
  }
  if (asOf !== undefined) {
    headers.push("Catalog-As-Of", asOf);
  }
  if (stale.length > 0) {
    headers.push("Catalog-Stale-Providers", stale.join(","));
  }
  return headers;
}

/** A 32-bit hash: FNV-1a of the text's units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
