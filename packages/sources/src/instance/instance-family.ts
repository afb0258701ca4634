import type { FactSource } from "@gpu-offers/domain";
import { familyRows, instanceDocuments } from "./instance-types.facts.js";

/** GPU count of an instance, or its share of one card (`1/8`); vCPUs; memory in the provider's GB or GiB. */
export type InstanceSize = readonly [gpus: number | string, vcpu: number | undefined, ramGb: number | undefined];

/** Instance types documented on one page: the same GPU in several sizes. */
export interface InstanceFamily {
  /** Matches the full name of a type in any case; its first group is the key of the size. */
  pattern: RegExp;
  /** Slug of the GPU model. */
  gpu: string;
  /** Families of other cards that catalogs list under this name: OVHcloud sells the V100S as a V100. */
  soldAs: readonly string[];
  /** Whether NVLink joins the GPUs of sizes with several; null if the page does not say. */
  nvlink: boolean | null;
  interconnect: string | null;
  /** The network of types with an `r` for RDMA after the number, as Azure writes it. */
  interconnectR: string | null;
  /** Sizes by the first group of the pattern, in lower case. */
  sizes: ReadonlyMap<string, InstanceSize>;
  source: FactSource;
}

/** Documented families by provider. */
export const instanceFamilies: ReadonlyMap<string, readonly InstanceFamily[]> = new Map(
  Object.entries(familyRows).map(([provider, rows]) => [provider, rows.map(familyOf)]),
);

function familyOf(row: NonNullable<(typeof familyRows)[string]>[number]): InstanceFamily {
  const [pattern, gpu, sizes, document, nvlink, interconnect = null, interconnectR = null, soldAs = []] = row;
  const [title = "", url = null] = instanceDocuments[document] ?? [];
  return {
    pattern,
    gpu,
    soldAs,
    nvlink,
    interconnect,
    interconnectR,
    sizes: new Map(sizes.split(" ").map(sizeOf)),
    source: { title, url },
  };
}

/** `xlarge:1,4,16` has one GPU, 4 vCPUs and 16 GB; `large:1/8,2,8` an eighth of a GPU; `8` is `8:8`. */
function sizeOf(text: string): readonly [string, InstanceSize] {
  const [size = "", facts = size] = text.split(":");
  const [gpus = "", ...others] = facts.split(",");
  const [vcpu, ramGb] = others.map(Number);
  return [size, [gpus.startsWith("1/") ? gpus : Number(gpus), vcpu, ramGb]];
}
