import type { Offer } from "@gpu-offers/domain";
import type { OfferItem } from "./source-item.js";

/** A provider whose offers are each of its types in each of its places. */
export interface CrossProduct {
  readonly provider: string;
  readonly types: number;
  readonly places: number;
}

/**
 * Minimum numbers of types and places of a cross product. A small provider may sell three types in three places each, but
 * no provider sells many types everywhere.
 */
export const MIN_CROSS_PRODUCT = { types: 4, places: 4 } as const;

// A catalog with more types than this lists machines of a market, and sets must not grow with it.
const MAX_TYPES = 20_000;

interface Axes {
  readonly types: Set<string>;
  readonly places: Set<string>;
  offers: number;
  saysUnavailable: boolean;
}

/**
 * Finds the providers of a source that list every type in every place, one row each. Such rows are a price list
 * multiplied by a list of places: they say nothing about what is sold where. A source that marks even one offer as
 * unavailable knows more than that and is left alone.
 */
export class CrossProductDetector {
  private readonly axes = new Map<string, Axes>();

  /** Adds an offer that is kept; duplicates are not to be added. */
  add({ offer, instanceType }: OfferItem): void {
    const axes = this.axesOf(offer.provider.name);
    axes.offers += 1;
    axes.saysUnavailable ||= !offer.isAvailable;
    if (axes.types.size <= MAX_TYPES) {
      axes.types.add(instanceType ?? typeOf(offer));
      axes.places.add(offer.region);
    }
  }

  /** The cross products among what was added. */
  found(): CrossProduct[] {
    return [...this.axes].flatMap(([provider, axes]) => {
      const types = axes.types.size;
      const places = axes.places.size;
      const isLarge = types >= MIN_CROSS_PRODUCT.types && places >= MIN_CROSS_PRODUCT.places;
      return isLarge && !axes.saysUnavailable && axes.offers === types * places ? [{ provider, types, places }] : [];
    });
  }

  private axesOf(provider: string): Axes {
    const axes = this.axes.get(provider) ?? {
      types: new Set(),
      places: new Set(),
      offers: 0,
      saysUnavailable: false,
    };
    this.axes.set(provider, axes);
    return axes;
  }
}

/** What an offer is besides its place and price, where its source names no instance type. */
function typeOf({ gpu, gpuCount, specs, deploymentType, nvlinkEnabled }: Offer): string {
  return JSON.stringify([gpu.slug, gpuCount, specs.vcpu, specs.ram, specs.disk, deploymentType, nvlinkEnabled]);
}
