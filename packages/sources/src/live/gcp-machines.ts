import { findInstanceType } from "../instance/instance-type.js";
import { gcpGpus } from "../price-lists.facts.js";

// Google Cloud's machine types by the GPU in its price list, and which prices make up theirs.
// https://cloud.google.com/compute/docs/accelerator-optimized-machines, https://cloud.google.com/compute/docs/gpus

/** A machine type with GPUs. */
export interface GcpMachine {
  type: string;
  gpus: number;
  vcpu: number;
  ramGb: number;
  /** Local disks that the machine always has and that are charged apart, in GiB. */
  localGb: number;
}

/** A GPU of the price list. */
export interface GcpCard {
  /** As in the descriptions of prices, in lower case, without the maker. */
  names: readonly string[];
  /** The family of the prices for cores and memory. */
  family: string;
  machines: readonly GcpMachine[];
  /** Machine types that are only sold as Spot, in reservations or by Flex-start, although GPUs have on-demand prices. */
  notOnDemand: string | null;
  /** GB of one card that is added to machines of any size: then its name, not the machine type, determines the GPU. */
  addedGb: number | undefined;
}

/** A machine type that includes GPUs. @param localGbPerGpu Local disks for each GPU, in GiB. */
function documented(type: string, localGbPerGpu: number): GcpMachine {
  const { gpuCount: gpus, vcpu, ramGb } = findInstanceType("gcp", type) ?? {};
  if (gpus === undefined || vcpu === undefined || ramGb === undefined) {
    throw new Error(`The instance tables lack GPUs, vCPUs or memory of ${type}.`);
  }
  return { type, gpus, vcpu, ramGb, localGb: gpus * localGbPerGpu };
}

const N1_FAMILIES = [
  { name: "n1-standard", gbPerVcpu: 3.75 },
  { name: "n1-highmem", gbPerVcpu: 6.5 },
];
const N1_MACHINES = N1_FAMILIES.flatMap(({ name, gbPerVcpu }) =>
  [2, 4, 8, 16, 32, 64, 96].map((vcpu) => ({ type: `${name}-${vcpu}`, vcpu, ramGb: vcpu * gbPerVcpu })),
);

/** The GPUs that Google Cloud rents. */
export const GCP_CARDS: readonly GcpCard[] = gcpGpus.map((row) => ({
  names: row.names,
  family: row.cores,
  machines: [
    ...row.types.map((type) => documented(type, row.localGb)),
    ...row.n1.flatMap(([gpus, vcpu, ramGb]) =>
      N1_MACHINES.filter((machine) => machine.vcpu <= vcpu && machine.ramGb <= ramGb).map((machine) =>
        Object.assign({ gpus, localGb: 0 }, machine),
      ),
    ),
  ],
  notOnDemand: row.notOnDemand,
  addedGb: row.n1.length > 0 ? row.vramGb : undefined,
}));
