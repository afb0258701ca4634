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
import { unavailable } from "../wire/api-error.js";

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
      positions = await inSlices(view.catalog.index.selectingAll(this.selection));
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
      const positions = view.catalog.index.selectAll({ filter: {}, sort: { sort: "pricePerGpu", order: "asc" } });
      body = buffer(listingLines(view, positions, { isSpot: false }).pipe(createGzip()));
      this.#bodies.set(view, body);
    }
    return body;
  }
}

// Lists of all matches are megabytes long, so a few are sent at once, and callers that hardly read them don't keep others
// from theirs. Without these limits, one caller could make the process run out of memory.

/** Number of lists that are sent at once. Each takes a slice of the event loop in turn. */
const MAX_SENDING = 4;

/** Number of requests that wait for their turn. */
const MAX_WAITING = 32;

/** Milliseconds to wait for a turn: less than a proxy waits for a response. */
const MAX_WAIT_MS = 8_000;

/** A caller must read this much of a list in each period, or its connection is closed. */
const PERIOD_MS = 10_000;
const BYTES_A_PERIOD = 640_000;

/** Gives turns to send lists. */
export class ListTurns {
  #sending = 0;
  readonly #waiting = new Set<() => void>();

  /**
   * Waits until the list of a response may be sent. The turn ends with the response.
   * @throws ApiError 503 with Retry-After if too many wait, or for too long, or if the caller is gone.
   */
  async take(response: ServerResponse): Promise<void> {
    if (this.#sending >= MAX_SENDING) {
      await this.#wait(response);
    }
    if (response.closed) {
      this.#next();
      throw busy();
    }
    this.#sending++;
    const watch = watchReading(response);
    response.once("close", () => {
      clearInterval(watch);
      this.#sending--;
      this.#next();
    });
  }

  #wait(response: ServerResponse): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) {
      throw busy();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        stop();
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(begin);
        clearTimeout(timer);
        response.off("close", leave);
      };
      const leave = (): void => {
        stop();
        reject(busy());
      };
      const timer = setTimeout(leave, MAX_WAIT_MS);
      response.once("close", leave);
      this.#waiting.add(begin);
    });
  }

  #next(): void {
    const [begin] = this.#waiting;
    begin?.();
  }
}

/** Closes the connection of a caller that reads too slowly. */
function watchReading(response: ServerResponse): NodeJS.Timeout {
  const { socket } = response;
  const read = (): number => (socket === null ? 0 : socket.bytesWritten - socket.writableLength);
  let before = read();
  return setInterval(() => {
    const now = read();
    if (now - before < BYTES_A_PERIOD) {
      response.destroy();
    }
    before = now;
  }, PERIOD_MS);
}

function busy(): Error {
  return unavailable("Too many lists are being sent right now.");
}
