import {
  AVAILABILITIES,
  availabilityOf,
  memoized,
  UNKNOWN_REGION,
  type Availability,
  type Offer,
} from "@gpu-offers/domain";
import { CrossProductDetector, type OfferItem } from "@gpu-offers/sources";
import * as z from "zod";

// Findings of an import besides rejected rows, such as unknown regions and GPU names.

/** Findings of an import, most frequent first. */
export const findingsSchema = z.strictObject({
  availability: z
    .strictObject({ in_stock: z.int(), listed: z.int(), unknown: z.int(), sold_out: z.int() })
    .describe("offers by availability"),
  unavailable: z
    .array(z.strictObject({ reason: z.enum(["stated", "cross_product", "no_place"]), offers: z.int() }))
    .describe("offers that are sold out, as the file states, or unknown, because rows don't show what can be rented"),
  unplaced_regions: z.array(z.strictObject({ provider: z.string(), region: z.string(), offers: z.int() })),
  cross_products: z
    .array(z.strictObject({ provider: z.string(), types: z.int(), places: z.int() }))
    .describe("providers that list every type in every region, so that the availability of their offers is unknown"),
});

interface UnknownGpu {
  name: string;
  rows: number;
  /** Memory of one GPU in GB, as rows state it. */
  memoryGb: number[];
}

type UnavailableReason = Findings["unavailable"][number]["reason"];

/** See {@link findingsSchema}. */
export interface Findings extends z.output<typeof findingsSchema> {
  unknownGpus: UnknownGpu[];
}

// A source with more distinct values than this has no regions or GPU names in that column.
const MAX_TEXTS = 10_000;

export class FindingsCollector {
  readonly #regions = new Map<string, Findings["unplaced_regions"][number]>();
  readonly #names = new Map<string, UnknownGpu>();
  readonly #detector = new CrossProductDetector();
  // A count for each word
  readonly #availability = Object.fromEntries(AVAILABILITIES.map((word) => [word, 0])) as Record<Availability, number>;
  /** Those that v1 has as available, by provider. */
  readonly #available = new Map<string, Availability[]>();
  readonly #unavailable = new Map<UnavailableReason, number>();

  /** Adds an offer. Add only the first of duplicates. */
  addOffer(item: OfferItem): void {
    const { offer } = item;
    this.#detector.add(item);
    const { name } = offer.provider;
    const word = availabilityOf({ ...item.listing, offer });
    this.#availability[word] += 1;
    if (offer.isAvailable) {
      memoized<string, Availability[]>(this.#available, name, () => []).push(word);
    } else if (item.unavailableReason !== undefined || word === "sold_out") {
      this.#addUnavailable(item.unavailableReason ?? "stated", 1);
    }
    if (offer.regionInfo.countryCode === UNKNOWN_REGION.countryCode) {
      this.#addRegion(offer);
    }
  }

  /** Adds a rejected row with an unknown GPU. */
  addUnknownGpu(name: string, memoryGb?: number): void {
    const known = this.#names.get(name) ?? { name, rows: 0, memoryGb: [] };
    known.rows += 1;
    if (memoryGb !== undefined && !known.memoryGb.includes(memoryGb)) {
      known.memoryGb.push(memoryGb);
    }
    if (known.rows > 1 || this.#names.size < MAX_TEXTS) {
      this.#names.set(name, known);
    }
  }

  /** The available offers of a provider become unknown. Returns their number. */
  withdraw(provider: string): number {
    const words = this.#available.get(provider) ?? [];
    if (words.length > 0) {
      this.#available.delete(provider);
      words.forEach((word) => (this.#availability[word] -= 1));
      this.#availability.unknown += words.length;
      this.#addUnavailable("cross_product", words.length);
    }
    return words.length;
  }

  list(): Findings {
    return {
      unplaced_regions: [...this.#regions.values()].sort((a, b) => b.offers - a.offers),
      unknownGpus: [...this.#names.values()].sort((a, b) => b.rows - a.rows),
      cross_products: this.#detector.found(),
      availability: { ...this.#availability },
      unavailable: [...this.#unavailable]
        .map(([reason, offers]) => ({ reason, offers }))
        .sort((a, b) => b.offers - a.offers),
    };
  }

  #addUnavailable(reason: UnavailableReason, count: number): void {
    this.#unavailable.set(reason, (this.#unavailable.get(reason) ?? 0) + count);
  }

  #addRegion({ provider: { name: provider }, region }: Offer): void {
    const key = JSON.stringify([provider, region]);
    const known = this.#regions.get(key);
    if (known !== undefined) {
      known.offers += 1;
    } else if (this.#regions.size < MAX_TEXTS) {
      this.#regions.set(key, { provider, region, offers: 1 });
    }
  }
}
