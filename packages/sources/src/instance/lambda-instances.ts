import { family, linked, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const lambda = { title: "Lambda: on-demand instance types", url: "https://docs.lambda.ai/public-cloud/on-demand/" };

/** Lambda: the plain `a100` is a PCIe card in types of one to four, and an SXM module in the type of eight. */
export const lambdaInstances: readonly InstanceFamily[] = [
  {
    pattern: /^gpu_(\d+)x_a100$/i,
    gpu: "a100-pcie-40gb",
    nvlink: null,
    sizes: {
      "1": [1, 30, 200],
      "2": [2, 60, 400],
      "4": [4, 120, 800],
      "8": [8, 124, 1800, { gpu: "a100-sxm-40gb", nvlink: true }],
    },
    source: lambda,
  },
  family(/^gpu_(\d+)x_a100_sxm4$/i, "a100-sxm-40gb", lambda, "1:1,30,200 8:8,124,1800", linked()),
  family(/^gpu_(\d+)x_a100_80gb(?:_sxm4?)?$/i, "a100-sxm-80gb", lambda, "8:8,240,1800", linked()),
  family(/^gpu_(\d+)x_v100(?:_n)?$/i, "v100-sxm-16gb", lambda, "8:8,88,448", linked()),
  family(/^gpu_(\d+)x_h100_sxm5$/i, "h100-sxm", lambda, "1:1,26,225 2:2,52,450 4:4,104,900 8:8,208,1800", linked()),
  family(/^gpu_(\d+)x_b200_sxm6$/i, "b200", lambda, "1:1,26,360 2:2,52,720 4:4,104,1440 8:8,208,2900", linked()),
  family(/^gpu_(\d+)x_gh200$/i, "gh200-96gb", lambda, "1:1,64,432"),
  family(/^gpu_(\d+)x_rtx6000$/i, "quadro-rtx-6000", lambda, "1:1,14,46"),
];
