import type { InstanceFamily, InstanceSize } from "./instance-family.js";

// RunPod's ids of GPU types often omit the form of the card, which its documentation lists beside each: "NVIDIA H200" is
// the H200 SXM. Our live offers put the number of GPUs before the id and the cloud behind it. SkyPilot abbreviates the ids:
// "H100" stands for "NVIDIA H100 PCIe", "H100-SXM" for "NVIDIA H100 80GB HBM3".

const source = { title: "Runpod: GPU types", url: "https://docs.runpod.io/references/gpu-types" };

/** A pod has one GPU, or more up to the number of a machine. */
const sizes: Readonly<Record<string, InstanceSize>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, index) => [String(index + 1), [index + 1]] as const),
);

function family(id: string, name: string, gpu: string, nvlink: boolean | null): InstanceFamily {
  return {
    pattern: new RegExp(`^(\\d+)(?:x ${id} \\((?:secure|community)\\)|x_${name}_(?:secure|community))$`, "i"),
    gpu,
    nvlink,
    sizes,
    source,
  };
}

/** RunPod's pods with cards whose form its ids omit. Boards of SXM modules connect all of them by NVLink. */
export const runpodInstances: readonly InstanceFamily[] = [
  family("NVIDIA H100 80GB HBM3", "H100-SXM", "h100-sxm", true),
  family("NVIDIA H100 PCIe", "H100", "h100-pcie", null),
  family("NVIDIA H200", "H200-SXM", "h200-sxm", true),
  family("NVIDIA A100-SXM4-80GB", "A100-80GB-SXM", "a100-sxm-80gb", true),
  family("NVIDIA A100 80GB PCIe", "A100-80GB", "a100-pcie-80gb", null),
  family("NVIDIA B200", "B200", "b200", true),
  family("NVIDIA B300 SXM6 AC", "B300", "b300", true),
];
