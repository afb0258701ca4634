import { setImmediate as nextTurn } from "node:timers/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import type { ListingView, Terms } from "./listing-view.js";

// All matches of a query as NDJSON, of one catalog: what pages of a changing catalog can't give.

/** Milliseconds of work before other requests may run. */
const SLICE_MS = 10;

/** The lines of listings, as fast as they are read. Other requests run in between. */
export function listingLines(view: ListingView, positions: Uint32Array, terms: Terms): Readable {
  return Readable.from(slices(view, positions, terms), { objectMode: false });
}

async function* slices(view: ListingView, positions: Uint32Array, terms: Terms): AsyncGenerator<Buffer> {
  let lines: string[] = [];
  let until = performance.now() + SLICE_MS;
  for (const position of positions) {
    lines.push(`${view.textAt(position, terms)}\n`);
    if (performance.now() >= until) {
      yield Buffer.from(lines.join(""));
      lines = [];
      await nextTurn();
      until = performance.now() + SLICE_MS;
    }
  }
  yield Buffer.from(lines.join(""));
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
