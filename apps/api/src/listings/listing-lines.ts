import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ListingSelection } from "@gpu-offers/domain";
import { linesTag } from "../catalog/catalog-tag.js";
import { Content, type Variant } from "../http/content.js";
import { acceptsGzip, NDJSON_TYPE } from "../wire/accepted.js";
import { nextTurn } from "../wire/loop-turns.js";
import type { ListTurns } from "./list-turns.js";
import type { ListingView, Terms } from "./listing-view.js";

// All matches of a query as NDJSON, of one catalog: what pages of a changing catalog can't give.

/** Length of a piece in characters. Its lines take the event loop for a few milliseconds. */
const PIECE_LENGTH = 128 * 1024;

/** All listings that match, one per line. */
export class LinesContent extends Content {
  readonly type = NDJSON_TYPE;
  readonly vary = "Accept, Accept-Encoding";

  /** @param whole the lines of all listings, if these are all. */
  constructor(
    private readonly view: ListingView,
    private readonly selection: ListingSelection,
    private readonly terms: Terms,
    private readonly whole: CompressedLines | undefined,
    private readonly turns: ListTurns,
  ) {
    super();
  }

  variantFor({ "accept-encoding": accepted }: IncomingHttpHeaders): Variant {
    const { view, whole, terms } = this;
    const compressed = acceptsGzip(accepted?.toString()) ? whole : undefined;
    return {
      etag: linesTag(view.etag, compressed !== undefined),
      encoding: compressed === undefined ? "identity" : "gzip",
      ...(compressed === undefined && { turn: (response: ServerResponse) => this.turns.take(response) }),
      body: () => compressed?.of(view) ?? listingLines(view, view.catalog.index.selectAll(this.selection), terms),
    };
  }
}

/** The lines of listings, as fast as they are read. Other requests run in between. */
function listingLines(view: ListingView, positions: Uint32Array, terms: Terms): Readable {
  return Readable.from(pieces(view, positions, terms), { objectMode: false });
}

async function* pieces(view: ListingView, positions: Uint32Array, terms: Terms): AsyncGenerator<Buffer> {
  let lines = "";
  for (const position of positions) {
    lines += `${view.textAt(position, terms)}\n`;
    if (lines.length >= PIECE_LENGTH) {
      yield Buffer.from(lines);
      lines = "";
      await nextTurn();
    }
  }
  yield Buffer.from(lines);
}

/** The lines of all listings, compressed once for each view. */
export class CompressedLines {
  readonly #bodies = new WeakMap<ListingView, Promise<Buffer>>();

  of(view: ListingView): Promise<Buffer> {
    let body = this.#bodies.get(view);
    if (body === undefined) {
      const positions = view.catalog.index.selectAll({ filter: {}, sort: { sort: "pricePerGpu", order: "asc" } });
      body = buffer(listingLines(view, positions, { isSpot: false }).pipe(createGzip()));
      this.#bodies.set(view, body);
    }
    return body;
  }
}
