import { providerKey } from "@gpu-offers/domain";

/** What the name of an instance type states about its GPUs, as the provider writes it. */
export interface TypeName {
  /** Name of the GPU as spelled in the type: `h100_sxm5`, `H100 SXM 80GB`. */
  gpu?: string;
  /** True if that is the full name and the provider's other fields truncate it: Vast drops "Ti", "S" and "D" there. */
  isWholeName?: boolean;
  /** GPU count of the instance. */
  count?: number;
}

// Each provider writes types differently, so a rule applies only to providers known to follow it. It matches a type's name;
// the groups are `gpu`, `form`, `sizeGb` and `count`.
const RULES: ReadonlyMap<string, readonly RegExp[]> = new Map([
  // epyc-rome-rtx-a4000_4x1v2gb: host memory, GPUs, vCPUs.
  ["cudo", [/_\d+x(?<count>\d+)v\d+gb$/]],
  // gpu-h100x8-640gb, gpu-mi300x8-1536gb: the memory is of all GPUs.
  ["do", [/^gpu-(?:mi(?:300|325)|(?<gpu>.+?))x(?<count>\d+)-\d+gb(?:-|$)/]],
  // H100_NVLINK_80GB::8, A100_PCIE_80GB::1.
  ["fluidstack", [/^(?<gpu>.+)::(?<count>\d+)$/]],
  // 1x-H100-224-2165.
  ["hyperbolic", [/^(?<count>\d+)x-(?<gpu>.+)-\d+-\d+$/]],
  // gx3-48x240x2l40s: vCPUs, memory, GPUs.
  ["ibm", [/^g\w+-\d+x\d+x(?<count>\d+)(?<gpu>[a-z]+\d+\w*)$/]],
  // 8x_H200_224V_2400G.
  ["jarvislabs", [/^(?<count>\d+)x_(?<gpu>.+)_\d+V_\d+G$/]],
  // RTX6000-Ada_8x.
  ["lium", [/^(?<gpu>.+)_(?<count>\d+)x$/]],
  // n3-H100x8-NVLink, n3-H100-SXM5x8, n1-RTX-A6000x4.
  ["hyperstack", [/^n\d-(?<gpu>.+?)x(?<count>\d+)(?:-|$)/]],
  // gpu_8x_h100_sxm5, gpu_8x_v100_n.
  ["lambda", [/^gpu_(?<count>\d+)x_(?<gpu>.+?)(?:_n)?$/]],
  // h100-80gb.sxm.8x, ccs-h200.sxm.1x, h100-80gb.sxm.8x_104cpu.
  ["mithril", [/^(?:ccs-)?(?<gpu>[^.]+)\.(?<form>[^.]+)\.(?<count>\d+)x(?:_\w+)?$/]],
  // gpu-h100-sxm_8gpu-128vcpu-1600gb; the letter is the processor.
  ["nebius", [/^gpu-(?<gpu>.+?)(?:-[a-z])?_(?<count>\d+)gpu-/]],
  // A100_NVLINK_80GB, RTX_A6000.
  ["oblivus", [/^(?<gpu>.+)$/]],
  // A100-80Gx8, H100.
  ["paperspace", [/^(?<gpu>.+?)x(?<count>\d+)$/, /^(?<gpu>.+)$/]],
  // 8x_H100-SXM_SECURE.
  ["runpod", [/^(?<count>\d+)x_(?<gpu>.+)_(?:SECURE|COMMUNITY)$/]],
  // lambdalabs__8xA100_80GB__240__1800.
  ["primeintellect", [/^[a-z0-9_]+?__(?<count>\d+)x(?<gpu>[^_]+_\d+GB)__/]],
  // crusoe_A100-80G-sxm4x8, excesssupply_L40x8-2: the cloud, the GPU, the count.
  ["shadeform", [/^[^_]+_(?<gpu>.+)x(?<count>\d+)(?:-\d)?$/, /^[^_]+_(?<gpu>.+?)(?:-\d)?$/]],
  // gpu_8x_rtxpro6000blackwell_384.
  ["simplepod", [/^gpu_(?<count>\d+)x_(?<gpu>.+)_\d+$/]],
  // 1x-H100_NVL-32-65536.
  ["vast", [/^(?<count>\d+)x-(?<gpu>.+)-\d+-\d+$/]],
  // 8H100.80S.176V: 80 GB on an SXM module. 2A6000.20V, 1B200.30V.
  [
    "verda",
    [
      /^(?<count>\d+)(?<gpu>[A-Z][A-Z0-9]*?)\.(?<sizeGb>\d+)(?<form>S)\.\d+V/,
      /^(?<count>\d+)(?<gpu>[A-Z][A-Z0-9]*)\.\d+V/,
    ],
  ],
  // 2x28v238g_NVIDIA_GeForce_RTX_5090_32G_SECURE.
  ["yotta", [/^(?<count>\d+)x\d+v\d+g_(?<gpu>.+)_(?:SECURE|COMMUNITY)$/]],
]);

// The provider whose accelerator names are truncated, while its types have the full names.
const CUTTING = "vast";

/** What a type's name itself states, by the rule of its provider; empty for providers without one. */
export function readTypeName(provider: string, instanceType: string): TypeName {
  const key = providerKey(provider);
  for (const rule of RULES.get(key) ?? []) {
    const groups = rule.exec(instanceType)?.groups;
    if (groups !== undefined) {
      return typeNameOf(groups, key === CUTTING);
    }
  }
  return {};
}

function typeNameOf({ gpu, form, sizeGb, count }: Partial<Record<string, string>>, isWholeName: boolean): TypeName {
  // Verda's letter for an SXM module is S.
  const words = [gpu, form === "S" ? "SXM" : form, sizeGb && `${sizeGb}GB`];
  return {
    ...(gpu !== undefined && { gpu: words.filter(Boolean).join(" "), isWholeName }),
    ...(count !== undefined && { count: Number(count) }),
  };
}
