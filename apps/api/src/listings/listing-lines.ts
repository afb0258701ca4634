import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { nextTurn } from "../wire/loop-turns.js";
import type { ListingView, Terms } from "./listing-view.js";

// All matches of a query as NDJSON, of one catalog: what pages of a changing catalog can't give.

/** Length of a piece in characters. Its lines take the event loop for a few milliseconds. */
const PIECE_LENGTH = 128 * 1024;

/** The lines of listings, as fast as they are read. Other requests run in between. */
export function listingLines(view: ListingView, positions: Uint32Array, terms: Terms): Readable {
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
