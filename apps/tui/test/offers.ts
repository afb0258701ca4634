import * as fc from "fast-check";
import { pricePerGpu, type Offer, type OsImage } from "@gpu-offers/domain";

// Offers and images for the picker's tests: few providers and prices, so that equal ones occur.

/** Offer number `index` of a catalog; `changes` replaces whole fields. */
export function offerAt(index: number, changes: Partial<Offer> = {}): Offer {
  const priceHourly = changes.priceHourly ?? 1.5 + (index % 7);
  const gpuCount = changes.gpuCount ?? [1, 2, 8][index % 3] ?? 1;
  const provider = ["alpha", "beta", "gamma"][index % 3] ?? "alpha";
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    provider: { name: provider, slug: provider },
    gpu: { name: "H100 PCIe", slug: "h100-pcie", vramGB: 80, architecture: "Hopper" },
    region: `region-${index}`,
    regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "Europe" },
    isAvailable: true,
    specs: { vcpu: 28, ram: 180, disk: 0 },
    storageCostPerGB: 0.00014,
    storageMinGB: 50,
    storageMaxGB: 2000,
    costDataComplete: true,
    deploymentType: "virtual",
    nvlinkEnabled: false,
    interconnect: null,
    ...changes,
    priceHourly,
    gpuCount,
    pricePerGpu: pricePerGpu(priceHourly, gpuCount),
  };
}

/** An image that is the default one, or not. */
export function imageNamed(id: string, isDefault = false): OsImage {
  return { id, displayName: `Image ${id}`, slug: id, hasCuda: false, cudaVersion: null, hasDocker: true, isDefault };
}

/** Names with wide, combining and hostile characters. */
export const arbitraryName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("H100 SXM", "昇腾 910B", "Ráděon", "👩‍💻 GPU", "e\u0301e\u0301", "\u001b[31mred", "tab\there"),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

/** Catalogs with every kind of disk, place and price. */
export const arbitraryCatalog = (maxLength: number): fc.Arbitrary<Offer[]> =>
  fc
    .array(
      fc.record({
        price: fc.oneof(
          fc.constantFrom(1, 1.5, 2),
          fc.integer({ min: 1, max: 99_000_000 }).map((micros) => micros / 1e6),
        ),
        gpuCount: fc.constantFrom(1, 2, 8),
        name: arbitraryName,
        slug: fc.constantFrom("h100-pcie", "h200-sxm", "l40s"),
        isAvailable: fc.boolean(),
        costDataComplete: fc.boolean(),
        disk: fc.constantFrom([0, 200, 200], [0.00014, 50, 2000], [0, 0, 0], [0, 10, 100]),
      }),
      { maxLength },
    )
    .map((items) =>
      items.map(({ price, gpuCount, name, slug, disk, ...rest }, index) => {
        const [storageCostPerGB = 0, storageMinGB = 0, storageMaxGB = 0] = disk;
        const gpu = { name, slug, vramGB: 80, architecture: "Hopper" };
        return offerAt(index, {
          ...rest,
          priceHourly: price,
          gpuCount,
          gpu,
          storageCostPerGB,
          storageMinGB,
          storageMaxGB,
        });
      }),
    );
