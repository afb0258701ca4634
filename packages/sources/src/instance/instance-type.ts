import { type FactSource, providerKey } from "@gpu-offers/domain";
import { familyRows, instanceDocuments } from "./instance-types.facts.js";

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

/** Instance types documented on one page: the same GPU in several sizes. */
interface InstanceFamily extends Pick<InstanceType, "gpu" | "soldAs" | "nvlink" | "interconnect" | "source"> {
  /** Matches the full name of a type in any case; its first group is the key of the size. */
  pattern: RegExp;
  /** The network of types with an `r` for RDMA after the number, as Azure writes it. */
  interconnectR: string | null;
  /** Sizes by the first group of the pattern, in lower case. */
  sizes: ReadonlyMap<string, InstanceSize>;
}

type InstanceSize = Pick<InstanceType, "gpuCount" | "share" | "vcpu" | "ramGb">;

/** Documented families by provider. */
export const instanceFamilies: ReadonlyMap<string, readonly InstanceFamily[]> = new Map(
  Object.entries(familyRows).map(([provider, rows]) => [provider, rows.map(familyOf)]),
);

function familyOf(row: NonNullable<(typeof familyRows)[string]>[number]): InstanceFamily {
  const [pattern, gpu, sizes, document, nvlink, interconnect = null, interconnectR = null, soldAs = []] = row;
  const [title = "", url = null] = instanceDocuments[document] ?? [];
  const bySize = new Map(sizes.split(" ").map(sizeOf));
  return { pattern, gpu, soldAs, nvlink, interconnect, interconnectR, sizes: bySize, source: { title, url } };
}

/** `xlarge:1,4,16` has one GPU, 4 vCPUs and 16 GB; `large:1/8,2,8` an eighth of a GPU; `8` is `8:8`. */
function sizeOf(text: string): readonly [string, InstanceSize] {
  const [size = "", facts = size] = text.split(":");
  const [gpus = "", ...others] = facts.split(",");
  const [vcpu, ramGb] = others.map(Number);
  return [
    size,
    {
      ...(gpus.startsWith("1/") ? { gpuCount: 1, share: gpus } : { gpuCount: Number(gpus) }),
      ...(vcpu !== undefined && { vcpu }),
      ...(ramGb !== undefined && { ramGb }),
    },
  ];
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
      const { gpu, soldAs, nvlink, interconnect, interconnectR, source } = family;
      const network = (RDMA.test(instanceType) ? interconnectR : null) ?? interconnect;
      // A single card has nothing to link to.
      return { gpu, soldAs, nvlink: facts.gpuCount === 1 ? false : nvlink, interconnect: network, ...facts, source };
    }
  }
  return undefined;
}
