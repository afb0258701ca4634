import type { FactSource } from "@gpu-offers/domain";

/** GPUs of an instance, or the share of one card that it gets. */
type Gpus = number | `1/${number}`;

/** GPUs, vCPUs, memory in the provider's GB or GiB, and what differs from the family. */
export type InstanceSize = readonly [
  gpus: Gpus,
  vcpu?: number | undefined,
  ramGb?: number | undefined,
  changes?: Partial<Pick<InstanceFamily, "gpu" | "nvlink" | "interconnect" | "source">>,
];

/** Instance types that one page documents together: the same GPU in several sizes. */
export interface InstanceFamily {
  /** Matches the whole name of a type in any case; its first group is the key of the size. */
  readonly pattern: RegExp;
  /** Slug of the GPU model. */
  readonly gpu: string;
  /** Families of other cards whose name catalogs give this one: OVHcloud's V100S is sold as a V100. */
  readonly soldAs?: readonly string[];
  /** Whether NVLink joins the GPUs of a size that has several; null where the page does not say. */
  readonly nvlink: boolean | null;
  readonly interconnect?: string;
  /** The network of types that have an `r` for RDMA behind their number, as Azure writes it. */
  readonly networkByR?: string;
  /** Sizes by what the first group of the pattern matches, in lower case. */
  readonly sizes: Readonly<Partial<Record<string, InstanceSize>>>;
  readonly source: FactSource;
}
