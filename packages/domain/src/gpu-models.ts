import { amdModels } from "./amd-models.js";
import type { GpuModel } from "./gpu-model.js";
import { intelModels } from "./intel-models.js";
import { nvidiaDataCenterModels } from "./nvidia-data-center-models.js";
import { nvidiaGeforceModels } from "./nvidia-geforce-models.js";
import { nvidiaWorkstationModels } from "./nvidia-workstation-models.js";

// The GPU models that offers are matched to. How spellings are read is gpu.ts; the tables must not know it.

/** Every GPU model we know, those made for export or one region included. A model is left out rather than guessed. */
export const gpuModels: readonly GpuModel[] = [
  ...nvidiaDataCenterModels,
  ...nvidiaWorkstationModels,
  ...nvidiaGeforceModels,
  ...amdModels,
  ...intelModels,
];
