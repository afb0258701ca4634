import * as fc from "fast-check";
import { pricePerGpu, type Offer, type OsImage } from "@gpu-offers/domain";
import { arbitraryOffer, exampleImage, exampleOffer } from "@gpu-offers/domain/offer.fixture";

// Offers and images for the picker's tests: few providers and prices, so that equal ones occur.

/** Offer number `index` of a catalog; `changes` replaces whole fields. */
export function offerAt(index: number, changes: Partial<Offer> = {}): Offer {
  const priceHourly = changes.priceHourly ?? 1.5 + (index % 7);
  const gpuCount = changes.gpuCount ?? [1, 2, 8][index % 3] ?? 1;
  const provider = ["alpha", "beta", "gamma"][index % 3] ?? "alpha";
  return exampleOffer({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    provider: { name: provider, slug: provider },
    region: `region-${index}`,
    // No two are alike but for their region: those would be one row.
    specs: { vcpu: 28, ram: 180 + index, disk: 0 },
    ...changes,
    priceHourly,
    gpuCount,
    pricePerGpu: pricePerGpu(priceHourly, gpuCount),
  });
}

/** The first offers of a catalog. */
export function offersOf(count: number): Offer[] {
  return Array.from({ length: count }, (_, index) => offerAt(index));
}

/** An image that is the default one, or not. */
export function imageNamed(id: string, isDefault = false): OsImage {
  return exampleImage({ id, displayName: `Image ${id}`, slug: id, isDefault });
}

/** A GPU with a name whose characters are two columns wide, or joined. */
export const WIDE_GPU = { name: "昇腾 910B 👩‍💻", slug: "ascend-910b", vramGB: 64, architecture: "Da Vinci" };

/** Names with wide, combining and hostile characters. */
export const arbitraryName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("H100 SXM", "昇腾 910B", "Ráděon", "👩‍💻 GPU", "e\u0301e\u0301", "\u001b[31mred", "tab\there"),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

/** Catalogs with every kind of disk, place, price and name. */
export const arbitraryCatalog = (maxLength: number): fc.Arbitrary<Offer[]> =>
  fc
    .array(fc.record({ offer: arbitraryOffer, name: arbitraryName, costDataComplete: fc.boolean() }), { maxLength })
    .map((items) =>
      items.map(({ offer, name, costDataComplete }, index) => {
        const { id, provider } = offerAt(index);
        return { ...offer, id, provider, gpu: { ...offer.gpu, name }, costDataComplete };
      }),
    );
