import type { InstanceFamily, InstanceSize } from "./instance-family.js";

// Verda's types start with the number of GPUs and end with the number of vCPUs: 8H100.80S.176V. Files have only that; the
// API names the cards with their form ("H200 SXM5 141GB") and the speed between them.

const source = { title: "Verda API: instance types, name and p2p", url: "https://api.verda.com/v1/docs" };

const sizes: Readonly<Record<string, InstanceSize>> = Object.fromEntries(
  [1, 2, 4, 8].map((count) => [String(count), [count]] as const),
);

function family(name: string, gpu: string): InstanceFamily {
  return { pattern: new RegExp(`^(\\d)${name}\\.\\d+v$`, "i"), gpu, nvlink: true, sizes, source };
}

/** Verda's instances with SXM modules, which NVLink joins. */
export const verdaInstances: readonly InstanceFamily[] = [
  family("gb300", "gb300"),
  family("b300", "b300"),
  family("b200", "b200"),
  family("h200\\.141s", "h200-sxm"),
  family("h100\\.80s", "h100-sxm"),
  family("a100", "a100-sxm-80gb"),
  family("a100\\.40s", "a100-sxm-40gb"),
];
