// GPUs with where each of their figures was read: `@gpu-offers/domain/gpus`. The texts are long, and few programs show them.

export { gpuFactNote, gpuFactSources, type GpuFactSources } from "./gpu/gpu-fact-sources.js";
export { listGpus, listGpusOf } from "./market/gpu-entry.js";
export {
  gpuEntrySchema,
  gpuListSchema,
  gpuPricesQuerySchema,
  gpuPricesSchema,
  type GpuFactSource,
  type MakerSource,
} from "./market/gpu-entry-schema.js";
