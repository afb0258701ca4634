import { findGpuModel, gpuModels, UNKNOWN_REGION, type Offer } from "@gpu-offers/domain";
import { findInstanceType } from "./instance/instance-type.js";
import { CrossProductDetector, type CrossProduct } from "./cross-product.js";

// Finds gaps and suspicious values in a catalog. None of them is an error: an operator decides what to do.

interface ProviderOffers {
  /** Name of the provider. */
  provider: string;
  /** Number of its offers. */
  offers: number;
}

/** Offers of one provider and region whose country is unknown. */
export interface UnlocatedRegion extends ProviderOffers {
  /** Region, as named by the provider. */
  region: string;
}

/** Offers of one provider and GPU model with several GPUs, which may or may not be joined by NVLink. */
export interface UnknownNvlink extends ProviderOffers {
  /** Slug of the GPU. */
  gpu: string;
}

/** Offers of one provider and GPU model whose price per GPU is far from the model's median. */
export interface SuspiciousPrice extends ProviderOffers {
  /** Slug of the GPU. */
  gpu: string;
  /** Whether the prices are above or below the median. */
  direction: "above" | "below";
  /** Lowest of these prices, USD per hour of one GPU. */
  lowest: number;
  /** Highest of these prices, USD per hour of one GPU. */
  highest: number;
  /** Median of all providers' prices of the GPU, USD per hour of one GPU. */
  median: number;
}

/** Findings of {@link CatalogQuality}; each list starts with what affects most offers. */
export interface QualityFindings {
  /** Number of offers. */
  offers: number;
  /** Regions without a known country. */
  unlocatedRegions: UnlocatedRegion[];
  /** Offers of several GPUs whose NVLink is unknown. */
  unknownNvlink: UnknownNvlink[];
  /** Prices far from the median of their GPU. */
  suspiciousPrices: SuspiciousPrice[];
  /** Providers that list every type in every region, whether or not the import marked them as unavailable. */
  crossProducts: CrossProduct[];
}

/** With fewer offers, a GPU model has no meaningful median. */
export const OFFERS_FOR_MEDIAN = 5;

/** Families with at least one NVLink form: other forms of the same card can be joined by bridges. */
const NVLINK_FAMILIES = new Set(gpuModels.filter(({ nvlink }) => nvlink).map(({ family }) => family));

/** Whether NVLink exists for the model, or for another form of its card. */
export function canHaveNvlink(gpuSlug: string): boolean {
  return NVLINK_FAMILIES.has(findGpuModel(gpuSlug)?.family ?? "");
}

/**
 * Whether it is known if NVLink joins the GPUs of an offer. It is if they are joined, if there is only one, if NVLink doesn't
 * exist for the card, and if the documentation of the instance type says that there is none.
 */
export function knowsNvlink(offer: Offer, instanceType: string | null): boolean {
  const { gpu, gpuCount, nvlinkEnabled, provider } = offer;
  const isImpossible = gpuCount === 1 || !canHaveNvlink(gpu.slug);
  return nvlinkEnabled || isImpossible || findInstanceType(provider.name, instanceType ?? "")?.nvlink === false;
}

type Priced = { provider: string } & Pick<Offer, "pricePerGpu">;

/** Reviews a catalog. Offers can be added in any order. */
export class CatalogQuality {
  readonly #regions = new Map<string, UnlocatedRegion>();
  readonly #nvlink = new Map<string, UnknownNvlink>();
  /** By slug of the GPU. */
  readonly #prices = new Map<string, Priced[]>();
  readonly #detector = new CrossProductDetector();
  readonly #availability = new Map<string, Set<boolean>>();
  #offers = 0;

  constructor(
    /** A price is suspicious if it is more than this many times the median, or less than the median divided by it. */
    private readonly factor: number,
  ) {}

  /**
   * Adds an offer.
   * @param instanceType What one rents, if known: its documentation may say that NVLink doesn't join its GPUs.
   */
  add(offer: Offer, instanceType: string | null = null): void {
    const { name: provider } = offer.provider;
    const { slug: gpu } = offer.gpu;
    this.#offers += 1;
    if (offer.regionInfo.countryCode === UNKNOWN_REGION.countryCode) {
      count(this.#regions, { provider, region: offer.region });
    }
    if (!knowsNvlink(offer, instanceType)) {
      count(this.#nvlink, { provider, gpu });
    }
    const prices = this.#prices.get(gpu) ?? [];
    prices.push({ provider, pricePerGpu: offer.pricePerGpu });
    this.#prices.set(gpu, prices);
    // An import marks all offers of a cross product as unavailable; the detector only considers lists that mark none.
    this.#detector.add({ offer: { ...offer, isAvailable: true } });
    this.#availability.set(provider, (this.#availability.get(provider) ?? new Set()).add(offer.isAvailable));
  }

  /** The findings for all offers added so far. */
  found(): QualityFindings {
    return {
      offers: this.#offers,
      unlocatedRegions: mostFirst(this.#regions.values()),
      unknownNvlink: mostFirst(this.#nvlink.values()),
      suspiciousPrices: mostFirst([...this.#prices].flatMap((priced) => this.#suspicious(priced))),
      crossProducts: this.#detector.found().filter(({ provider }) => this.#availability.get(provider)?.size === 1),
    };
  }

  #suspicious([gpu, prices]: readonly [string, readonly Priced[]]): SuspiciousPrice[] {
    if (prices.length < OFFERS_FOR_MEDIAN) {
      return [];
    }
    const sorted = sortedPrices(prices);
    // Of an even number, the lower middle one, so that it is a price that exists.
    const median = sorted[(sorted.length - 1) >> 1] ?? 0;
    const far = {
      above: prices.filter(({ pricePerGpu }) => pricePerGpu > median * this.factor),
      below: prices.filter(({ pricePerGpu }) => pricePerGpu < median / this.factor),
    };
    return (["above", "below"] as const).flatMap((direction) =>
      [...Map.groupBy(far[direction], ({ provider }) => provider)].map(([provider, some]) => {
        const own = sortedPrices(some);
        const [lowest = 0] = own;
        return { provider, gpu, direction, offers: own.length, lowest, highest: own.at(-1) ?? lowest, median };
      }),
    );
  }
}

function sortedPrices(prices: readonly Priced[]): number[] {
  return prices.map(({ pricePerGpu }) => pricePerGpu).sort((a, b) => a - b);
}

function count<Key extends object>(counts: Map<string, Key & { offers: number }>, key: Key): void {
  const id = JSON.stringify(Object.values(key));
  counts.set(id, { ...key, offers: (counts.get(id)?.offers ?? 0) + 1 });
}

function mostFirst<Finding extends { offers: number }>(findings: Iterable<Finding>): Finding[] {
  return [...findings].sort((a, b) => b.offers - a.offers);
}
