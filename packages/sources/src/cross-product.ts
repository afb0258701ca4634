import type { Offer } from "@gpu-offers/domain";
import { isOffer, type OfferItem } from "./source-item.js";

/** A provider whose offers are every one of its types in every one of its regions. */
export interface CrossProduct {
  /** Name of the provider. */
  provider: string;
  /** Number of instance types. */
  types: number;
  /** Number of places. */
  places: number;
}

/**
 * Minimum numbers of types and regions of a cross product. A small provider may sell three types in three regions each, but
 * no provider sells many types everywhere.
 */
export const MIN_CROSS_PRODUCT = { types: 4, places: 4 } as const;

// A catalog with more types than this lists individual machines of a market; the sets must not grow with it.
const MAX_TYPES = 20_000;

interface Axes {
  types: Set<string>;
  places: Set<string>;
  offers: number;
  saysUnavailable: boolean;
}

/**
 * Finds the providers of a source that list every type in every region, one row each. Such rows are a price list
 * multiplied by a list of regions and don't show what is sold where. A source that marks even one offer as unavailable
 * has real stock data and is left alone.
 */
export class CrossProductDetector {
  readonly #axes = new Map<string, Axes>();

  /** Adds an offer. Don't add duplicates. */
  add(item: Pick<OfferItem, "offer" | "instanceType" | "unavailableReason">): void {
    const { offer, instanceType, unavailableReason } = item;
    const { name } = offer.provider;
    const known = this.#axes.get(name);
    const axes: Axes = known ?? { types: new Set(), places: new Set(), offers: 0, saysUnavailable: false };
    this.#axes.set(name, axes);
    axes.offers += 1;
    axes.saysUnavailable ||= !offer.isAvailable && unavailableReason === undefined;
    if (axes.types.size <= MAX_TYPES) {
      axes.types.add(instanceType ?? typeOf(offer));
      axes.places.add(offer.region);
    }
  }

  /** The cross products among the added offers. */
  found(): CrossProduct[] {
    return [...this.#axes].flatMap(([provider, axes]) => {
      const types = axes.types.size;
      const places = axes.places.size;
      const isLarge = types >= MIN_CROSS_PRODUCT.types && places >= MIN_CROSS_PRODUCT.places;
      return isLarge && !axes.saysUnavailable && axes.offers === types * places ? [{ provider, types, places }] : [];
    });
  }
}

/**
 * The items of a whole source, whose offers of cross products are unavailable, because their rows don't show what is sold
 * where. Readers that hold all of a file do this themselves; native NDJSON is read line by line, so its reader can't.
 */
export function withdrawCrossProducts<T extends { kind: string }>(
  items: readonly (T | OfferItem)[],
): (T | OfferItem)[] {
  const detector = new CrossProductDetector();
  items.filter((item) => isOffer(item)).forEach((item) => detector.add(item));
  const providers = new Set(detector.found().map(({ provider }) => provider));
  return providers.size === 0 ? [...items] : items.map((item) => (isOffer(item) ? withdrawn(item, providers) : item));
}

function withdrawn(item: OfferItem, providers: ReadonlySet<string>): OfferItem {
  return providers.has(item.offer.provider.name)
    ? {
        ...item,
        offer: { ...item.offer, isAvailable: false },
        listing: { ...item.listing, availability: "unknown" },
        unavailableReason: "cross_product",
      }
    : item;
}

/** Identifies an offer apart from its region and price, if its source has no instance type. */
function typeOf({ gpu, gpuCount, specs, deploymentType, nvlinkEnabled }: Offer): string {
  return JSON.stringify([gpu.slug, gpuCount, specs.vcpu, specs.ram, specs.disk, deploymentType, nvlinkEnabled]);
}
