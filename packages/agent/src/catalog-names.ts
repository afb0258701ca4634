import type { Offer } from "@gpu-offers/domain";

// The distinct names in a list of offers, and their numbers of offers, collected once per list: callers may look up many
// names, and list them often.

/** The names that a caller may use. */
interface CatalogNames {
  gpus: readonly Offer["gpu"][];
  providers: ReadonlySet<string>;
  /** Number of offers by GPU slug, and by provider. */
  offersOfGpu: ReadonlyMap<string, number>;
  offersOfProvider: ReadonlyMap<string, number>;
}

const byOffers = new WeakMap<readonly Offer[], CatalogNames>();

/** The names in a list of offers. The list must not change. */
export function catalogNames(offers: readonly Offer[]): CatalogNames {
  let names = byOffers.get(offers);
  if (names === undefined) {
    const gpus = new Map(offers.map(({ gpu }) => [`${gpu.slug}\n${gpu.name}`, gpu]));
    const offersOfProvider = countBy(offers, ({ provider }) => provider.name);
    names = {
      gpus: [...gpus.values()],
      providers: new Set(offersOfProvider.keys()),
      offersOfGpu: countBy(offers, ({ gpu }) => gpu.slug),
      offersOfProvider,
    };
    byOffers.set(offers, names);
  }
  return names;
}

function countBy(offers: readonly Offer[], keyOf: (offer: Offer) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const offer of offers) {
    const key = keyOf(offer);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
