import type { FactSource } from "@gpu-offers/domain";

/** GPU count of an instance, or its share of one card as text (`1/8`); vCPUs; memory in the provider's GB or GiB. */
export type InstanceSize = readonly [gpus: number | string, vcpu?: number, ramGb?: number];

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
  sizes: Readonly<Partial<Record<string, InstanceSize>>>;
  source: FactSource;
}
