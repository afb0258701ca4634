import { amdModels } from "./amd-models.js";
import type { GpuModel } from "./gpu-model.js";
import { intelModels } from "./intel-models.js";
import { nvidiaDataCenterModels } from "./nvidia-data-center-models.js";
import { nvidiaGeforceModels } from "./nvidia-geforce-models.js";
import { nvidiaWorkstationModels } from "./nvidia-workstation-models.js";

// The GPU models that offers are matched to. The tables must not depend on gpu.ts, which parses spellings.

/** All known GPU models, including those for export or a single region. Uncertain models are left out, not guessed. */
export const gpuModels: readonly GpuModel[] = [
  ...nvidiaDataCenterModels,
  ...nvidiaWorkstationModels,
  ...nvidiaGeforceModels,
  ...amdModels,
  ...intelModels,
];
