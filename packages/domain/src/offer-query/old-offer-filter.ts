import type { ListingFilter } from "../listing-query/listing-filter.js";
import { filterOf, type ListingParameterName } from "../listing-query/listing-parameters.js";
import type { FilterKey, OfferFilter } from "./offer-filter.js";

// The filters of offers under their old names, for the picker.

const KEYS: Partial<Record<ListingParameterName, FilterKey>> = {
  q: "search",
  gpu: "gpu",
  provider: "provider",
  continent: "continent",
  country: "country",
  region: "region",
  min_gpu_count: "minGpuCount",
  max_gpu_count: "maxGpuCount",
  min_vram: "minVramGb",
  min_total_vram: "minTotalVramGb",
  min_ram: "minRamGb",
  min_vcpu: "minVcpu",
  nvlink: "nvlink",
  interconnect: "interconnect",
  available: "available",
  deployment_type: "deploymentType",
  image: "image",
  max_price: "maxPricePerGpu",
  max_hourly: "maxPriceHourly",
  max_total: "maxTotalHourly",
  disk: "diskGb",
  budget: "budget",
};

/** The old name of the filter that a parameter sets; undefined if it is about what a source states beyond offers. */
export function oldKeyOf(name: ListingParameterName): FilterKey | undefined {
  return KEYS[filterOf(name)];
}

/** The filters of offers under their old names. */
export function offerFilterOf({ budget, hours = 1, ...filter }: ListingFilter): OfferFilter {
  const values = Object.entries(filter).flatMap(([name, value]) => {
    const key = KEYS[name as ListingParameterName];
    return key === undefined ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(values), budget: budget === undefined ? undefined : { usd: budget, hours } };
}
