import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ListingSelection } from "@gpu-offers/domain";
import type { ListingView, Terms } from "./listing-view.js";

// All matches of a query as NDJSON, of one catalog: what pages of a changing catalog can't give.

/** Media type of one JSON value per line. */
export const NDJSON_TYPE = "application/x-ndjson";

/** Milliseconds of work before other requests may run. */
const SLICE_MS = 10;

/** Whether a client asks for lines. */
export function wantsLines(accept: string | undefined): boolean {
  return accept?.split(",").some((item) => item.split(";")[0]?.trim().toLowerCase() === NDJSON_TYPE) === true;
}

/** The lines of a query's matches. */
export class ListingLines {
  readonly #view: ListingView;
  readonly #terms: Terms;
  readonly #positions: Uint32Array;
  readonly etag: string;

  constructor(view: ListingView, selection: ListingSelection, terms: Terms) {
    this.#view = view;
    this.#terms = terms;
    this.#positions = view.catalog.index.selectAll(selection);
    const { snapshot } = view;
    const content = JSON.stringify([snapshot.etag, snapshot.factsMark, view.agesKey, terms]);
    const hash = createHash("sha256").update(content).update(this.#positions);
    this.etag = `"${hash.digest("base64url").slice(0, 22)}"`;
  }

  /** Writes the lines, and lets other requests run in between. */
  async read(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let lines: string[] = [];
    let until = performance.now() + SLICE_MS;
    for (const position of this.#positions) {
      lines.push(`${this.#view.textAt(position, this.#terms)}\n`);
      if (performance.now() >= until) {
        chunks.push(Buffer.from(lines.join("")));
        lines = [];
        await nextTurn();
        until = performance.now() + SLICE_MS;
      }
    }
    return Buffer.concat([...chunks, Buffer.from(lines.join(""))]);
  }
}
