import { present, type MarketPart, type MarketRow, type Offer } from "@gpu-offers/domain";
import { isUnverified, readFacts, type StoredOffer } from "@gpu-offers/store/offer-row";

// What the market needs of a stored offer, read from its JSON without parsing all of it: this runs for every offer of a
// catalog. Quotes inside a text are escaped, so that the names of fields can only be found where they are fields.

const REGION = '"region":"';
const AVAILABLE = '"isAvailable":true';
const SPOT = '"spot":{';
const COMPLETE = '"costDataComplete":true';

/** @param body The offer as served: a stale one is unavailable. */
export function marketRow(stored: StoredOffer, body: string): MarketRow {
  return {
    id: stored.id,
    region: textAfter(body, REGION),
    gpuCount: stored.gpu_count,
    priceHourly: stored.price_hourly,
    pricePerGpu: stored.price_per_gpu,
    costDataComplete: body.includes(COMPLETE),
    spotHourly: spotHourly(stored),
    mayRent: body.includes(AVAILABLE) && !isUnverified(stored),
  };
}

/** The spot price of an instance; null if there is none, or a bid. */
function spotHourly(stored: StoredOffer): number | null {
  if (stored.listing?.includes(SPOT) !== true) {
    return null;
  }
  const { spot } = readFacts(stored);
  return spot?.kind === "price" ? spot.priceHourly : null;
}

/** The text that follows the start of a field. */
function textAfter(body: string, start: string): string {
  const from = body.indexOf(start) + start.length;
  let to = body.indexOf('"', from);
  while (isEscaped(body, to)) {
    to = body.indexOf('"', to + 1);
  }
  const text = body.slice(from, to);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Whether a quote follows an odd number of backslashes. */
function isEscaped(body: string, quote: number): boolean {
  let at = quote - 1;
  while (body[at] === "\\") {
    at -= 1;
  }
  return (quote - 1 - at) % 2 === 1;
}

/** The GPUs of offers by slug; each is parsed once. */
export class GpuReader {
  readonly #known = new Map<string, MarketPart["gpu"]>();

  /** The GPU of an offer. */
  read({ gpu_slug: slug, body }: StoredOffer): MarketPart["gpu"] {
    if (!this.#known.has(slug)) {
      this.#known.set(slug, (JSON.parse(body) as Offer).gpu);
    }
    return present(this.#known.get(slug));
  }
}
