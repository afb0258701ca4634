import type { Offer, OfferList } from "@gpu-offers/domain";

/** An offer; its number is in its id and its price, so that the numbers' order is the list's. */
export function offerOf(number: number, changes: Partial<Offer> = {}): Offer {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    provider: { name: "fjord", slug: "fjord" },
    gpu: { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" },
    gpuCount: 1,
    region: "oslo-1",
    regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "Oslo", continent: "Europe" },
    priceHourly: 1 + number / 1000,
    pricePerGpu: 1 + number / 1000,
    isAvailable: true,
    specs: { vcpu: 16, ram: 128, disk: 0 },
    storageCostPerGB: 0.0001,
    storageMinGB: 50,
    storageMaxGB: 2000,
    costDataComplete: true,
    deploymentType: "virtual",
    nvlinkEnabled: false,
    interconnect: null,
    ...changes,
  };
}

/** So many offers. */
export function offersOf(count: number, changes: Partial<Offer> = {}): Offer[] {
  return Array.from({ length: count }, (_, number) => offerOf(number, changes));
}

/** The answer to a list query without filters. */
export function pageOf(offers: readonly Offer[], page = 0, size = 25): OfferList {
  const totalPages = Math.ceil(offers.length / size);
  return {
    offers: offers.slice(page * size, (page + 1) * size),
    page,
    totalPages,
    totalElements: offers.length,
    hasMore: page + 1 < totalPages,
  };
}
