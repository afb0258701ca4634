import { Injectable } from "@nestjs/common";
import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeCompactList, sourceNotices, type CompactSource } from "@gpu-offers/list";
import { compress, decompressBrotli, EncodedContent } from "../http/content.js";
import { ListingViewCache } from "../listings/listing-view-cache.js";
import type { ListingView } from "../listings/listing-view.js";
import type { Encoding } from "../wire/accepted.js";
import { contentTag } from "../wire/entity-tag.js";

/** Maximum number of offers in the file. A page with more would take seconds to load. */
export const MAX_COMPACT_OFFERS = 100_000;

/** All listings of one catalog in compressed forms, which are made when first requested. */
class CompactListFile extends EncodedContent {
  readonly etag: string;
  readonly #bodies = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly key: string,
    private readonly view: ListingView,
  ) {
    super();
    this.etag = contentTag(Buffer.from(key));
  }

  bodyAs(encoding: Encoding): Promise<Buffer> {
    if (encoding === "identity") {
      // Uncompressed it is ten times as large, so it isn't kept.
      return this.bodyAs("br").then(decompressBrotli);
    }
    let body = this.#bodies.get(encoding);
    if (body === undefined) {
      body = (encoding === "br" ? this.#encode() : this.bodyAs("identity")).then((plain) => compress(plain, encoding));
      // A failure isn't kept.
      body.catch(() => this.#bodies.delete(encoding));
      this.#bodies.set(encoding, body);
    }
    return body;
  }

  /** Encodes the listings, and lets other requests run in between. */
  async #encode(): Promise<Buffer> {
    const { view } = this;
    const { snapshot, catalog } = view;
    const parts: Buffer[] = [];
    const content = {
      etag: snapshot.etag,
      sources: compactSources(view),
      notices: sourceNotices(view.sources),
      images: catalog.names.images,
      columns: snapshot.listings.columns,
      order: snapshot.listOrder,
      stale: snapshot.listings.stale,
      reliabilityAt: (position: number) => view.factsAt(position).reliability,
    };
    for (const part of encodeCompactList(content)) {
      parts.push(Buffer.from(part));
      await nextTurn();
    }
    return Buffer.concat(parts);
  }
}

/** Keeps the file of the served catalog until the catalog or what the page shows of its sources changes. */
@Injectable()
export class CompactListCache {
  #file: CompactListFile | undefined;

  constructor(private readonly views: ListingViewCache) {}

  /**
   * Undefined if the catalog has too many offers.
   * @throws NoCatalogError until a catalog is loaded.
   */
  find(): CompactListFile | undefined {
    const view = this.views.get();
    const { snapshot } = view;
    if (snapshot.offerCount > MAX_COMPACT_OFFERS) {
      return undefined;
    }
    const key = JSON.stringify([snapshot.etag, snapshot.factsMark, snapshot.stock.asOf, compactSources(view)]);
    if (this.#file?.key !== key) {
      this.#file = new CompactListFile(key, view);
    }
    return this.#file;
  }
}

function compactSources({ sources }: ListingView): CompactSource[] {
  return sources.map(({ name, providers, state, stock, pricesAsOf, offers }) => ({
    name,
    providers,
    state,
    stock,
    pricesAsOf,
    offers,
  }));
}
