import { tableName } from "../provider-alias.js";

/** What one must know about a provider's rows that the rows themselves do not tell. */
export interface ProviderQuirks {
  /** False where the file lists every type in every region, so that a row proves no availability. */
  readonly rowsAreAvailable: boolean;
  /** What `SizeInMiB` is the memory of; null where files have it both ways, so that only the card can tell. */
  readonly memoryOf: "one GPU" | "all GPUs" | null;
  /** Finds the cloud that a reseller's type belongs to, whose own name of the type is in UpstreamCloudId. */
  readonly cloudInType: RegExp | null;
  /** Whether a MemoryGiB that equals VRAM x count is just that, and host memory is unknown. */
  readonly memoryMayBeVram: boolean;
  /** Whether `A100` without a size means SkyPilot's A100, the 40 GB one. */
  readonly plainNamesTellSize: boolean;
}

const COMMON: ProviderQuirks = {
  rowsAreAvailable: true,
  memoryOf: null,
  cloudInType: null,
  memoryMayBeVram: false,
  plainNamesTellSize: true,
};

const QUIRKS: ReadonlyMap<string, Partial<ProviderQuirks>> = new Map<string, Partial<ProviderQuirks>>([
  // The file is the product of 18 types and 13 regions.
  ["lambda", { rowsAreAvailable: false }],
  // The rows of A100, H100 and V100-32G state 80.0 for one card of 80 GB and 640.0 for eight.
  ["paperspace", { memoryMayBeVram: true }],
  // 8 H100 of 80 GB have 655,360 MiB, and a "total" of eight times that.
  // lambdalabs__8xH100_80GB__208__1800 is Lambda's gpu_8x_h100_sxm5.
  ["primeintellect", { memoryOf: "all GPUs", cloudInType: /^([a-z0-9_]+?)__/ }],
  // The file of 2024 is the product of 60 types and 8 countries, that of v8 of types and data centers. That of
  // 2024 states VRAM x count as memory in every row.
  ["runpod", { rowsAreAvailable: false, memoryMayBeVram: true }],
  // One, two and four A100 of 80 GB have 81,920 MiB each.
  ["seeweb", { memoryOf: "one GPU" }],
  // Two A100 of 40 GB look like one of 80 GB: 81,920 MiB.
  ["vast", { memoryOf: "all GPUs", plainNamesTellSize: false }],
]);

/** The quirks of a provider; a provider without an entry has none. */
export function quirksOf(provider: string): ProviderQuirks {
  return { ...COMMON, ...QUIRKS.get(tableName(provider)) };
}
