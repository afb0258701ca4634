import { type FactSource, providerKey } from "@gpu-offers/domain";
import { type InstanceFamily, instanceFamilies, type InstanceSize } from "./instance-family.js";

/** The provider's documentation of an instance type. It overrides what a catalog or an API states. */
export interface InstanceType {
  /** Slug of the GPU model, in the form that the instance has: `h100-sxm`. See `findGpuModel` of the domain. */
  gpu: string;
  /** Families of other cards that catalogs list under this name. */
  soldAs: readonly string[];
  /** GPU count of the instance; 1 if it has a share of one. */
  gpuCount: number;
  /** The share of one card that the instance has, such as `1/8`; undefined for whole cards. */
  share?: string;
  /** Whether NVLink joins the GPUs of the instance; null if the source does not say. */
  nvlink: boolean | null;
  /** Network between instances, such as `InfiniBand 3200 Gbps`; null if there is none or the source does not say. */
  interconnect: string | null;
  /** Virtual CPUs of the instance. */
  vcpu?: number;
  /** Memory of the instance in the GB or GiB that the provider states. */
  ramGb?: number;
  /** The page that documents the type. */
  source: FactSource;
}

// "Standard_ND96isr_H100_v5": an r among the letters after the number of vCPUs.
const RDMA = /\d[a-z]*r[a-z]*(?:_|$)/i;

/**
 * The documented facts of an instance type, for any format: `findInstanceType("aws", "p5.48xlarge")`.
 * Case is ignored. Types are matched by family and size, so suffixes that don't affect the GPUs match too.
 * @param provider Name of the provider in any spelling that `providerKey` knows: `aws`, `oracle`, `datacrunch`.
 */
export function findInstanceType(provider: string, instanceType: string): InstanceType | undefined {
  for (const family of instanceFamilies.get(providerKey(provider)) ?? []) {
    const size = family.pattern.exec(instanceType)?.[1]?.toLowerCase();
    const facts = size === undefined ? undefined : family.sizes.get(size);
    if (facts !== undefined) {
      return instanceOf(family, facts, instanceType);
    }
  }
  return undefined;
}

function instanceOf(family: InstanceFamily, size: InstanceSize, instanceType: string): InstanceType {
  const [gpus, vcpu, ramGb] = size;
  const { gpu, soldAs, nvlink, interconnect, interconnectR, source } = family;
  const share = typeof gpus === "string" ? gpus : undefined;
  const gpuCount = typeof gpus === "string" ? 1 : gpus;
  return {
    gpu,
    soldAs,
    gpuCount,
    ...(share !== undefined && { share }),
    // A single card has nothing to link to.
    nvlink: gpuCount === 1 ? false : nvlink,
    interconnect: (RDMA.test(instanceType) ? interconnectR : null) ?? interconnect,
    ...(vcpu !== undefined && { vcpu }),
    ...(ramGb !== undefined && { ramGb }),
    source,
  };
}
