import { LRUCache } from "lru-cache";
import type { Catalog } from "../catalog/catalog.js";
import type { Representation, Snapshot } from "../catalog/snapshot.js";
import type { Freshness } from "../live/freshness.js";
import { loggedUrlOf } from "../log.js";
import { ageHeaders, catalogHeaders } from "./catalog-headers.js";
import type { Exchange } from "./exchange.js";
import { namesTag } from "./entity-tag.js";
import type { FlatHeaders } from "./response-headers.js";

/** Maximum number of bytes of all remembered responses together. */
const MAX_BYTES = 32 * 2 ** 20;

/** Longest URL that is remembered, in characters. */
const MAX_URL_LENGTH = 1_024;

/** What an entry costs beside its body and its URL, in bytes, roughly. */
const ENTRY_BYTES = 1_024;

/** A response that Nest gave, ready to be sent again. */
interface Remembered {
  route: string;
  representation: Representation;
  /** Its URL as the log has it: without keys, as a JSON text. */
  loggedUrl: string;
  /** Undefined until it is sent from here. */
  ready: ReadyHeaders | undefined;
}

/** All headers but those of a single request, and what they were made from. */
interface ReadyHeaders {
  common: FlatHeaders;
  freshness: Freshness;
  ok: FlatHeaders;
  notModified: FlatHeaders;
}

/**
 * Responses of the catalog that were given before, by the exact text of their URLs. They belong to one snapshot and go
 * with it. Catalog bodies don't depend on the account, so all callers that may read the catalog share them.
 */
export class CatalogMemory {
  readonly #responses: LRUCache<string, Remembered>;
  #snapshot: Snapshot | undefined;
  #sent = 0;

  /** @param isPrivate true if only callers with a key may have the catalog. */
  constructor(
    private readonly catalog: Catalog,
    private readonly isPrivate: boolean,
    maxBytes = MAX_BYTES,
  ) {
    this.#responses = new LRUCache({ maxSize: maxBytes });
  }

  /** Number of responses that were sent from here. */
  get sent(): number {
    return this.#sent;
  }

  /** Bytes that are remembered, roughly. */
  get bytes(): number {
    return this.#responses.calculatedSize;
  }

  /** The response to a GET or HEAD of a URL; undefined if it is not remembered, or too old to be sent. */
  find(url: string): Remembered | undefined {
    if (this.catalog.snapshot !== this.#snapshot) {
      this.#responses.clear();
      this.#snapshot = this.catalog.snapshot;
      return undefined;
    }
    const found = this.#responses.get(url);
    return found !== undefined && this.catalog.mayServe(found.representation) ? found : undefined;
  }

  /** Remembers a response that is about to be sent. */
  remember({ request: { url = "" }, url: path, route }: Exchange, representation: Representation): void {
    const { snapshot, body } = representation;
    // Another snapshot may have come; a whole URL instead of a path is rare.
    if (snapshot !== this.#snapshot || route === undefined || url !== path || url.length > MAX_URL_LENGTH) {
      return;
    }
    const size = body.length + url.length * 2 + ENTRY_BYTES;
    this.#responses.set(url, { route, representation, loggedUrl: loggedUrlOf(url), ready: undefined }, { size });
  }

  /** Writes a remembered response; 304 without a body if the client has it already. */
  send({ id, rateHeaders, request, response }: Exchange, remembered: Remembered, common: FlatHeaders): void {
    this.#sent++;
    const { representation } = remembered;
    const known = request.headers["if-none-match"];
    const isKnown = known !== undefined && namesTag(known, representation.snapshot.etag);
    const { ok, notModified } = this.#readyHeaders(remembered, common);
    response.writeHead(isKnown ? 304 : 200, ["X-Request-Id", id, ...rateHeaders, ...(isKnown ? notModified : ok)]);
    response.end(isKnown ? undefined : representation.body);
  }

  #readyHeaders(remembered: Remembered, common: FlatHeaders): ReadyHeaders {
    const { ready, representation } = remembered;
    const { freshness } = this.catalog;
    // The headers of an image list have its age, which is of the moment.
    if (ready?.common === common && ready.freshness === freshness && !representation.isImageList) {
      return ready;
    }
    const notModified = [
      ...common,
      ...catalogHeaders(representation, this.isPrivate),
      ...ageHeaders(representation, this.catalog),
    ];
    const length = String(representation.body.length);
    const ok = [...notModified, "Content-Type", "application/json; charset=utf-8", "Content-Length", length];
    remembered.ready = { common, freshness, ok, notModified };
    return remembered.ready;
  }
}
