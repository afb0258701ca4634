import { tableName } from "../provider-alias.js";

/** What one must know about a provider's rows that the rows themselves do not tell. */
export interface ProviderQuirks {
  /** False where the file lists every type in every region, so that a row proves no availability. */
  readonly rowsAreAvailable: boolean;
  /** Finds the GPU's full name in an instance type; null where types do not name it. */
  readonly gpuInType: RegExp | null;
  /** Whether `SizeInMiB` is always the sum over all GPUs. Elsewhere sums are told by the card that they fit. */
  readonly memoryIsTotal: boolean;
  /** Whether a MemoryGiB that equals VRAM x count is just that, and host memory is unknown. */
  readonly memoryMayBeVram: boolean;
  /** Whether `A100` without a size means SkyPilot's A100, the 40 GB one. */
  readonly plainNamesTellSize: boolean;
}

const COMMON: ProviderQuirks = {
  rowsAreAvailable: true,
  gpuInType: null,
  memoryIsTotal: false,
  memoryMayBeVram: false,
  plainNamesTellSize: true,
};

const QUIRKS: ReadonlyMap<string, Partial<ProviderQuirks>> = new Map<string, Partial<ProviderQuirks>>([
  // H100_NVLINK_80GB::8, A100_PCIE_80GB::1.
  ["fluidstack", { gpuInType: /^(.+)::\d+$/ }],
  // gpu_8x_h100_sxm5. The file is the product of 18 types and 13 regions.
  ["lambda", { rowsAreAvailable: false, gpuInType: /^gpu_\d+x_(.+)$/ }],
  // The rows of A100, H100 and V100-32G state 80.0 for one card of 80 GB and 640.0 for eight.
  ["paperspace", { memoryMayBeVram: true }],
  // The file of 2024 is the product of 60 types and 8 countries, that of v8 of types and data centers. That of
  // 2024 states VRAM x count as memory in every row.
  ["runpod", { rowsAreAvailable: false, memoryMayBeVram: true }],
  // crusoe_A100-80G-sxm4x8, excesssupply_L40x8-2: the cloud, the GPU, the count.
  ["shadeform", { gpuInType: /^[^_]+_(.+?)(?:x\d+)?(?:-\d)?$/ }],
  // 1x-H100_NVL-32-65536. Vast cuts "Ti" and "Super" off its accelerator names and states memory of all GPUs
  // together: two A100 of 40 GB look like one of 80 GB.
  ["vast", { gpuInType: /^\d+x-(.+)-\d+-\d+$/, memoryIsTotal: true, plainNamesTellSize: false }],
]);

/** The quirks of a provider; a provider without an entry has none. */
export function quirksOf(provider: string): ProviderQuirks {
  return { ...COMMON, ...QUIRKS.get(tableName(provider)) };
}
