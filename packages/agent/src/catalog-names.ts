import type { Offer } from "@gpu-offers/domain";

// The distinct names in a list of offers, collected once per list: a call may look up many names.

/** The names that a caller may use. */
export interface CatalogNames {
  gpus: readonly Offer["gpu"][];
  providers: ReadonlySet<string>;
}

const byOffers = new WeakMap<readonly Offer[], CatalogNames>();

/** The names in a list of offers. The list must not change. */
export function catalogNames(offers: readonly Offer[]): CatalogNames {
  let names = byOffers.get(offers);
  if (names === undefined) {
    const gpus = new Map(offers.map(({ gpu }) => [`${gpu.slug}\n${gpu.name}`, gpu]));
    names = { gpus: [...gpus.values()], providers: new Set(offers.map(({ provider }) => provider.name)) };
    byOffers.set(offers, names);
  }
  return names;
}
