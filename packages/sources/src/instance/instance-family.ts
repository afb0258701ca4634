import type { FactSource } from "@gpu-offers/domain";

/** GPU count of an instance, or its share of one card. */
type Gpus = number | `1/${number}`;

/** GPUs, vCPUs, memory in the provider's GB or GiB, and what differs from the family. */
export type InstanceSize = readonly [
  gpus: Gpus,
  vcpu?: number | undefined,
  ramGb?: number | undefined,
  changes?: Partial<Pick<InstanceFamily, "gpu" | "nvlink" | "interconnect" | "source">>,
];

/** Instance types documented on one page: the same GPU in several sizes. */
export interface InstanceFamily {
  /** Matches the full name of a type in any case; its first group is the key of the size. */
  pattern: RegExp;
  /** Slug of the GPU model. */
  gpu: string;
  /** Families of other cards that catalogs list under this name: OVHcloud sells the V100S as a V100. */
  soldAs?: readonly string[];
  /** Whether NVLink joins the GPUs of sizes with several; null if the page does not say. */
  nvlink: boolean | null;
  interconnect?: string;
  /** The network of types with an `r` for RDMA after the number, as Azure writes it. */
  networkByR?: string;
  /** Sizes by the first group of the pattern, in lower case. */
  sizes: Readonly<Partial<Record<string, InstanceSize>>>;
  source: FactSource;
}

/** A family in one line. NVLink doesn't join its GPUs unless `facts` say so. */
export function family(
  pattern: RegExp,
  gpu: string,
  source: FactSource,
  sizes: string,
  { nvlink = false, ...facts }: Partial<InstanceFamily> = {},
): InstanceFamily {
  return { pattern, gpu, nvlink, sizes: sizesOf(sizes), source, ...facts };
}

/** NVLink joins the GPUs, and this network the instances. */
export function linked(interconnect?: string): Partial<InstanceFamily> {
  return { nvlink: true, ...(interconnect !== undefined && { interconnect }) };
}

/** Sizes as text: `xlarge:1,4,16` has one GPU, 4 vCPUs and 16 GB; `large:1/8,2,8` has an eighth of one. */
export function sizesOf(text: string): InstanceFamily["sizes"] {
  return Object.fromEntries(
    text.split(" ").map((size): [string, InstanceSize] => {
      const [key = "", facts = ""] = size.split(":");
      const [gpus = "", ...others] = facts.split(",");
      const [vcpu, ramGb] = others.map(Number);
      return [key, [gpus.startsWith("1/") ? (gpus as Gpus) : Number(gpus), vcpu, ramGb]];
    }),
  );
}
