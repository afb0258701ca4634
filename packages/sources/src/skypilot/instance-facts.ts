import { tableName } from "../provider-alias.js";

/** What the provider's documentation states of an instance type where catalogs are known to be wrong. */
export interface InstanceFacts {
  /** GPUs of the instance. */
  readonly gpuCount?: number;
  /** The GPU, spelled so that the table of GPU models knows it. */
  readonly gpu?: string;
  /** Share of one card that the instance gets. */
  readonly share?: string;
  readonly source: string;
}

const azureDocs = (page: string) => `https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/${page}`;
const ncadsH100 = azureDocs("ncadsh100v5-series");
const nvads710 = azureDocs("nvadsv710-v5-series");
const nvadsA10 = azureDocs("nvadsa10v5-series");
const nvv4 = azureDocs("nvv4-series");
const ngads620 = azureDocs("ngadsv620-series");

const AZURE: ReadonlyMap<string, InstanceFacts> = new Map<string, InstanceFacts>([
  // Catalogs of 2024 count 12.
  ["Standard_ND96isr_H100_v5", { gpuCount: 8, source: azureDocs("ndh100v5-series") }],
  // Catalogs say H100, which would be 80 GB; these have 94 GB a card, which only the NVL has.
  ["Standard_NC40ads_H100_v5", { gpu: "H100 NVL", source: ncadsH100 }],
  ["Standard_NC80adis_H100_v5", { gpu: "H100 NVL", source: ncadsH100 }],
  ["Standard_NCC40ads_H100_v5", { gpu: "H100 NVL", source: azureDocs("nccadsh100v5-series") }],
  // Catalogs count a share of a card as one card.
  ["Standard_NV4as_v4", { share: "1/8", source: nvv4 }],
  ["Standard_NV8as_v4", { share: "1/4", source: nvv4 }],
  ["Standard_NV16as_v4", { share: "1/2", source: nvv4 }],
  ["Standard_NV6ads_A10_v5", { share: "1/6", source: nvadsA10 }],
  ["Standard_NV12ads_A10_v5", { share: "1/3", source: nvadsA10 }],
  ["Standard_NV18ads_A10_v5", { share: "1/2", source: nvadsA10 }],
  ["Standard_NV4ads_V710_v5", { share: "1/6", source: nvads710 }],
  ["Standard_NV8ads_V710_v5", { share: "1/3", source: nvads710 }],
  ["Standard_NV12ads_V710_v5", { share: "1/2", source: nvads710 }],
  ["Standard_NG8ads_V620_v1", { share: "1/4", source: ngads620 }],
  ["Standard_NG16ads_V620_v1", { share: "1/2", source: ngads620 }],
]);

const FACTS: ReadonlyMap<string, ReadonlyMap<string, InstanceFacts>> = new Map([["azure", AZURE]]);

/** The documented facts of an instance type, if its catalogs are known to be wrong about it. */
export function factsOf(provider: string, instanceType: string): InstanceFacts | undefined {
  return FACTS.get(tableName(provider))?.get(instanceType);
}
