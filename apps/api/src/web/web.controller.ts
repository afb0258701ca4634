import { Controller, Get, Injectable } from "@nestjs/common";
import { ApiExcludeController } from "@nestjs/swagger";
import { countText, encodeCompactList, sourceNotices, type CompactSource } from "@gpu-offers/list";
import { Access } from "../http/access.guard.js";
import { EncodedContent, compress, decompressBrotli } from "../http/content.js";
import { CurrentExchange, UNITS } from "../http/work-units.js";
import { ApiError } from "../wire/api-error.js";
import type { Exchange } from "../wire/exchange.js";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ListingViewCache, type ListingView } from "../listings/listing-view.js";
import { contentTag } from "../wire/entity-tag.js";

/** Maximum number of offers in the file. A page with more would take seconds to load. */
const MAX_COMPACT_OFFERS = 100_000;

/** Keeps the file of the served catalog until the catalog or what the page shows of its sources changes. */
@Injectable()
export class CompactListCache {
  #last: { key: string; file: EncodedContent } | undefined;

  constructor(private readonly views: ListingViewCache) {}

  /** Undefined if the catalog has too many offers. @throws NoCatalogError until a catalog is loaded. */
  find(): EncodedContent | undefined {
    const view = this.views.get();
    const { snapshot } = view;
    const { size } = snapshot.listings.columns;
    if (size > MAX_COMPACT_OFFERS) {
      return undefined;
    }
    const key = JSON.stringify([snapshot.etag, snapshot.factsMark, snapshot.stock.asOf, size, compactSources(view)]);
    if (this.#last?.key !== key) {
      const file: EncodedContent = new EncodedContent(contentTag(Buffer.from(key)), async (encoding) =>
        // Uncompressed it is ten times as large, so it isn't kept.
        encoding === "br"
          ? compress(await encode(view), "br")
          : compress(await decompressBrotli(await file.bodyAs("br")), encoding),
      );
      this.#last = { key, file };
    }
    return this.#last.file;
  }
}

/** The listings of a catalog. Other requests run while they are encoded. */
async function encode(view: ListingView): Promise<Buffer> {
  const { snapshot, catalog } = view;
  const parts: Buffer[] = [];
  const content = {
    etag: snapshot.etag,
    sources: compactSources(view),
    notices: sourceNotices(view.sources),
    images: catalog.names.images,
    columns: snapshot.listings.columns,
    order: [...snapshot.listOrder, ...snapshot.gone.values()],
    gone: [...snapshot.gone.keys()],
    stale: snapshot.listings.stale,
    reliabilityAt: (position: number) => view.factsAt(position).reliability,
  };
  for (const part of encodeCompactList(content)) {
    parts.push(Buffer.from(part));
    await nextTurn();
  }
  return Buffer.concat(parts);
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

/** The data of the page. It is no part of the API: page and service are of one version. */
@ApiExcludeController()
@Access("catalog")
@Controller("web")
export class WebController {
  constructor(private readonly lists: CompactListCache) {}

  @Get("listings.json")
  list(@CurrentExchange() exchange: Exchange): EncodedContent {
    exchange.admit(UNITS.pageData);
    const file = this.lists.find();
    if (file === undefined) {
      const most = countText(MAX_COMPACT_OFFERS);
      throw new ApiError("not_found", `The catalog has more than ${most} offers. List them with /api/v2/listings.`);
    }
    return file;
  }
}
