import { findInstanceType } from "../instance/instance-type.js";

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
  family: "A2" | "A3" | "A3Plus" | "G2" | "G4" | "N1 Predefined";
  machines: readonly GcpMachine[];
  /** Machine types that are only sold as Spot, in reservations or by Flex-start, although GPUs have on-demand prices. */
  notOnDemand?: string;
  /** GB of one card that is added to machines of any size: then its name, not the machine type, determines the GPU. */
  addedGb?: number;
}

/** Machine types that include GPUs. @param localGbPerGpu Local disks for each GPU, in GiB. */
function documented(types: string, localGbPerGpu = 0): readonly GcpMachine[] {
  return types.split(" ").map((type) => {
    const { gpuCount: gpus, vcpu, ramGb } = findInstanceType("gcp", type) ?? {};
    if (gpus === undefined || vcpu === undefined || ramGb === undefined) {
      throw new Error(`The instance tables lack GPUs, vCPUs or memory of ${type}.`);
    }
    return { type, gpus, vcpu, ramGb, localGb: gpus * localGbPerGpu };
  });
}

const N1_SIZES = [2, 4, 8, 16, 32, 64, 96];
const N1_FAMILIES = [
  { name: "n1-standard", gbPerVcpu: 3.75 },
  { name: "n1-highmem", gbPerVcpu: 6.5 },
];

/** N1 machines for a number of cards, each with the most vCPUs and GB of memory: `[gpus, vcpu, ramGb]`. */
function n1(...limits: readonly (readonly [gpus: number, vcpu: number, ramGb: number])[]): readonly GcpMachine[] {
  const machines = N1_FAMILIES.flatMap(({ name, gbPerVcpu }) =>
    N1_SIZES.map((vcpu) => ({ type: `${name}-${vcpu}`, vcpu, ramGb: vcpu * gbPerVcpu })),
  );
  return limits.flatMap(([gpus, vcpu, ramGb]) =>
    machines
      .filter((machine) => machine.vcpu <= vcpu && machine.ramGb <= ramGb)
      .map((machine) => Object.assign({ gpus, localGb: 0 }, machine)),
  );
}

/** The GPUs that Google Cloud rents. */
export const GCP_CARDS: readonly GcpCard[] = [
  {
    names: ["a100"],
    family: "A2",
    machines: documented("a2-highgpu-1g a2-highgpu-2g a2-highgpu-4g a2-highgpu-8g a2-megagpu-16g"),
  },
  {
    names: ["a100 80gb"],
    family: "A2",
    machines: documented("a2-ultragpu-1g a2-ultragpu-2g a2-ultragpu-4g a2-ultragpu-8g", 375),
  },
  {
    names: ["h100 80gb"],
    family: "A3",
    machines: documented("a3-highgpu-8g", 750),
    notOnDemand: "a3-highgpu-1g, a3-highgpu-2g and a3-highgpu-4g",
  },
  {
    names: ["h100 80gb plus", "h100 80gb mega", "h100 mega 80gb"],
    family: "A3Plus",
    machines: documented("a3-megagpu-8g", 750),
  },
  { names: ["h200 141gb"], family: "A3", machines: [], notOnDemand: "a3-ultragpu machines" },
  {
    names: ["l4"],
    family: "G2",
    machines: documented(
      "g2-standard-4 g2-standard-8 g2-standard-12 g2-standard-16 g2-standard-24 g2-standard-32 g2-standard-48 g2-standard-96",
    ),
  },
  {
    names: ["rtx 6000 96gb", "rtx pro 6000 96gb"],
    family: "G4",
    machines: documented("g4-standard-48 g4-standard-96 g4-standard-192 g4-standard-384"),
  },
  { names: ["t4"], family: "N1 Predefined", machines: n1([1, 48, 312], [2, 48, 312], [4, 96, 624]), addedGb: 16 },
  { names: ["p4"], family: "N1 Predefined", machines: n1([1, 24, 156], [2, 48, 312], [4, 96, 624]), addedGb: 8 },
  {
    names: ["v100"],
    family: "N1 Predefined",
    machines: n1([1, 12, 78], [2, 24, 156], [4, 48, 312], [8, 96, 624]),
    addedGb: 16,
  },
  // Four P100 have larger machines in three zones, but prices are by region.
  { names: ["p100"], family: "N1 Predefined", machines: n1([1, 16, 104], [2, 32, 208], [4, 64, 208]), addedGb: 16 },
];
