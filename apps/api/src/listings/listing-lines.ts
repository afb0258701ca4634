import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ListingSelection } from "@gpu-offers/domain";
import { linesTag } from "../catalog/catalog-tag.js";
import { Content, type Variant } from "../http/content.js";
import { acceptsGzip, NDJSON_TYPE } from "../wire/accepted.js";
import { nextTurn, inSlices } from "../wire/loop-turns.js";
import type { ListingView, Terms } from "./listing-view.js";
import type { ListTurns } from "./list-turns.js";

// All matches of a query as NDJSON, of one catalog: what pages of a changing catalog can't give.

/** Number of lines in a piece: some 64 kB, which are copied in a fraction of a millisecond. */
const LINES_OF_A_PIECE = 50;

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
    let positions: Uint32Array = new Uint32Array();
    const turn = async (response: ServerResponse): Promise<void> => {
      await this.turns.take(response);
      const { index } = view.catalog;
      ({ positions } = await inSlices(index.selecting(this.selection, { page: 0, size: index.size })));
    };
    return {
      etag: linesTag(view.etag, compressed !== undefined),
      encoding: compressed === undefined ? "identity" : "gzip",
      ...(compressed === undefined && { turn }),
      body: () => compressed?.of(view) ?? listingLines(view, positions, terms),
    };
  }
}

/** The lines of listings, as fast as they are read. Other requests run in between. */
function listingLines(view: ListingView, positions: Uint32Array, terms: Terms): Readable {
  return Readable.from(pieces(view, positions, terms), { objectMode: false });
}

async function* pieces(view: ListingView, positions: Uint32Array, terms: Terms): AsyncGenerator<Buffer> {
  for (let start = 0; start < positions.length; start += LINES_OF_A_PIECE) {
    yield view.write(positions.subarray(start, start + LINES_OF_A_PIECE), terms, "\n");
    await nextTurn();
  }
}

/** The lines of all listings, compressed once for each view. */
export class CompressedLines {
  readonly #bodies = new WeakMap<ListingView, Promise<Buffer>>();

  of(view: ListingView): Promise<Buffer> {
    let body = this.#bodies.get(view);
    if (body === undefined) {
      const { index } = view.catalog;
      const usual = { filter: {}, sort: { sort: "pricePerGpu", order: "asc" } } as const;
      const { positions } = index.select(usual, { page: 0, size: index.size });
      body = buffer(listingLines(view, positions, { isSpot: false }).pipe(createGzip()));
      this.#bodies.set(view, body);
    }
    return body;
  }
}
