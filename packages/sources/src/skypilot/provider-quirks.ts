import { providerKey } from "@gpu-offers/domain";
import { ownTypes, productTypes } from "../providers.facts.js";

/** Facts about a provider's rows that the rows themselves don't contain. */
export interface ProviderQuirks {
  /** False if the file lists every type in every region, so that a row doesn't imply availability. */
  rowsAreAvailable: boolean;
  /** Whether `SizeInMiB` is per GPU or in total; null if files have both, so that only the card determines it. */
  memoryOf: "one GPU" | "all GPUs" | null;
  /** Finds the cloud that a reseller's type belongs to, whose own name for the type is in UpstreamCloudId. */
  cloudInType: RegExp | null;
  /** Whether a MemoryGiB equal to VRAM x count means just that, so that host memory is unknown. */
  memoryMayBeVram: boolean;
  /** Whether `A100` without a size means SkyPilot's A100 with 40 GB. */
  plainNamesTellSize: boolean;
  /** Whether the price of a type without an on-demand price is the minimum bid for it, which is its spot price, too. */
  priceMayBeSpot: boolean;
  /** Whether SpotPrice is the lowest bid, rather than what is charged. */
  spotIsBid: boolean;
  /**
   * Whether InstanceType is the provider's own name, which one rents, rather than SkyPilot's description of a machine,
   * maybe with a cloud before it: `1x-H200-32-65536`, `massedcompute_A6000x8`.
   */
  typesAreOwn: boolean;
  /**
   * Whether an instance type always has the same card, so that ids need not include the card. A type that describes a
   * machine (`1x-RTX_4090-32-65536`) may have the 24 GB card today and a rebuilt one of 48 GB tomorrow.
   */
  typeFixesGpu: boolean;
}

const COMMON: Omit<ProviderQuirks, "typeFixesGpu" | "typesAreOwn" | "plainNamesTellSize"> = {
  rowsAreAvailable: true,
  memoryOf: null,
  cloudInType: null,
  memoryMayBeVram: false,
  priceMayBeSpot: false,
  spotIsBid: false,
};

const QUIRKS: ReadonlyMap<string, Partial<ProviderQuirks>> = new Map<string, Partial<ProviderQuirks>>([
  // The file is the product of 18 types and 13 regions.
  ["lambda", { rowsAreAvailable: false }],
  // A market of bids: both columns have the minimum bid, and the regions are those with spot capacity.
  ["mithril", { priceMayBeSpot: true, spotIsBid: true }],
  // The rows of A100, H100 and V100-32G state 80.0 for one card of 80 GB and 640.0 for eight.
  ["paperspace", { memoryMayBeVram: true }],
  // 8 H100 of 80 GB have 655,360 MiB, and a "total" of eight times that.
  // lambdalabs__8xH100_80GB__208__1800 is Lambda's gpu_8x_h100_sxm5.
  ["primeintellect", { memoryOf: "all GPUs", cloudInType: /^([a-z0-9_]+?)__/ }],
  // The file from 2024 is the product of 60 types and 8 countries, the one in v8 of types and data centers. The one from
  // 2024 states VRAM x count as memory in every row.
  // Its spot price is minimumBidPrice of RunPod's API.
  ["runpod", { rowsAreAvailable: false, memoryMayBeVram: true, spotIsBid: true }],
  // One, two and four A100 of 80 GB have 81,920 MiB each.
  ["seeweb", { memoryOf: "one GPU" }],
  // Two A100 of 40 GB look like one of 80 GB: 81,920 MiB.
  ["vast", { memoryOf: "all GPUs", plainNamesTellSize: false, spotIsBid: true }],
]);

const PRODUCT_TYPES: ReadonlySet<string> = new Set(productTypes);

const OWN_TYPES: ReadonlySet<string> = new Set(ownTypes);

/** Names of the providers that have quirks. */
export const PROVIDERS_WITH_QUIRKS: readonly string[] = [...QUIRKS.keys()];

/** The quirks of a provider; a provider without an entry has none. */
export function quirksOf(provider: string): ProviderQuirks {
  const name = providerKey(provider);
  return {
    ...COMMON,
    typeFixesGpu: PRODUCT_TYPES.has(name),
    typesAreOwn: OWN_TYPES.has(name),
    // Unknown clouds may sell either size: all of Tencent's V100 have 32 GB.
    plainNamesTellSize: PRODUCT_TYPES.has(name) || OWN_TYPES.has(name),
    ...QUIRKS.get(name),
  };
}
