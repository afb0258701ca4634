import { findGpuModel, gpuModels, UNKNOWN_REGION, type Offer } from "@gpu-offers/domain";
import { CrossProductDetector, type CrossProduct } from "./cross-product.js";

// What a catalog does not know, or says that looks wrong. Nothing here is an error: an operator decides what to do.

/** How many offers of one provider and region have no known place. */
export interface UnlocatedRegion {
  readonly provider: string;
  readonly region: string;
  readonly offers: number;
}

/** Offers of one provider and GPU model with several GPUs, where nothing says whether NVLink joins them. */
export interface UnknownNvlink {
  readonly provider: string;
  readonly gpu: string;
  readonly offers: number;
}

/** Offers of one provider and GPU model whose price for one GPU is far from the model's median. */
export interface SuspiciousPrice {
  readonly provider: string;
  readonly gpu: string;
  readonly direction: "above" | "below";
  readonly offers: number;
  /** USD per hour for one GPU: the lowest and highest of these offers, and the median of all providers. */
  readonly lowest: number;
  readonly highest: number;
  readonly median: number;
}

/** What {@link CatalogQuality} found; in each list, what concerns most offers comes first. */
export interface QualityFindings {
  readonly offers: number;
  readonly unlocatedRegions: UnlocatedRegion[];
  readonly unknownNvlink: UnknownNvlink[];
  readonly suspiciousPrices: SuspiciousPrice[];
  /** Providers that list every type in every place, whether or not the import has marked them as unavailable. */
  readonly crossProducts: CrossProduct[];
}

/** Fewer offers of a GPU model have no meaningful median. */
export const OFFERS_FOR_MEDIAN = 5;

/** Families of which at least one form has NVLink: other forms of the same card can be joined by bridges. */
const NVLINK_FAMILIES = new Set(gpuModels.filter(({ nvlink }) => nvlink).map(({ family }) => family));

/** Whether some GPUs of the model, or of another form of its card, are joined by NVLink. */
export function canHaveNvlink(gpuSlug: string): boolean {
  return NVLINK_FAMILIES.has(findGpuModel(gpuSlug)?.family ?? "");
}

interface Priced {
  readonly provider: string;
  readonly pricePerGpu: number;
}

/** Reviews a catalog, offer by offer in any order. */
export class CatalogQuality {
  readonly #factor: number;
  readonly #regions = new Map<string, UnlocatedRegion>();
  readonly #nvlink = new Map<string, UnknownNvlink>();
  readonly #prices = new Map<string, Priced[]>();
  readonly #detector = new CrossProductDetector();
  readonly #availability = new Map<string, Set<boolean>>();
  #offers = 0;

  /** @param factor A price is suspicious if it is more than this many times the median, or less than one such part. */
  constructor(factor: number) {
    this.#factor = factor;
  }

  /** Adds an offer. */
  add(offer: Offer): void {
    const { name: provider } = offer.provider;
    const { slug: gpu } = offer.gpu;
    this.#offers += 1;
    if (offer.regionInfo.countryCode === UNKNOWN_REGION.countryCode) {
      count(this.#regions, { provider, region: offer.region });
    }
    if (offer.gpuCount > 1 && !offer.nvlinkEnabled && canHaveNvlink(gpu)) {
      count(this.#nvlink, { provider, gpu });
    }
    const prices = this.#prices.get(gpu) ?? [];
    prices.push({ provider, pricePerGpu: offer.pricePerGpu });
    this.#prices.set(gpu, prices);
    // An import marks all offers of a cross product as unavailable; the detector looks for lists that mark none.
    this.#detector.add({ kind: "offer", where: "", offer: { ...offer, isAvailable: true } });
    this.#availability.set(provider, (this.#availability.get(provider) ?? new Set()).add(offer.isAvailable));
  }

  /** What was found among the offers so far. */
  found(): QualityFindings {
    return {
      offers: this.#offers,
      unlocatedRegions: mostFirst(this.#regions.values()),
      unknownNvlink: mostFirst(this.#nvlink.values()),
      suspiciousPrices: mostFirst([...this.#prices].flatMap(([gpu, prices]) => this.#suspicious(gpu, prices))),
      crossProducts: this.#detector.found().filter(({ provider }) => this.#availability.get(provider)?.size === 1),
    };
  }

  #suspicious(gpu: string, prices: readonly Priced[]): SuspiciousPrice[] {
    if (prices.length < OFFERS_FOR_MEDIAN) {
      return [];
    }
    const median = medianOf(prices.map(({ pricePerGpu }) => pricePerGpu));
    const directionOf = ({ pricePerGpu }: Priced) =>
      pricePerGpu > median * this.#factor ? "above" : pricePerGpu < median / this.#factor ? "below" : undefined;
    return (["above", "below"] as const).flatMap((direction) => {
      const some = prices.filter((price) => directionOf(price) === direction);
      return [...Map.groupBy(some, ({ provider }) => provider)].map(([provider, own]) => {
        const sorted = own.map(({ pricePerGpu }) => pricePerGpu).sort((a, b) => a - b);
        const [lowest = 0] = sorted;
        return { provider, gpu, direction, offers: own.length, lowest, highest: sorted.at(-1) ?? lowest, median };
      });
    });
  }
}

function count<Key extends object>(counts: Map<string, Key & { offers: number }>, key: Key): void {
  const id = JSON.stringify(Object.values(key));
  counts.set(id, { ...key, offers: (counts.get(id)?.offers ?? 0) + 1 });
}

function mostFirst<Finding extends { readonly offers: number }>(findings: Iterable<Finding>): Finding[] {
  return [...findings].sort((a, b) => b.offers - a.offers);
}

/** The median; of an even number of values, the lower one of the middle, so that it is a price that exists. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0;
}
