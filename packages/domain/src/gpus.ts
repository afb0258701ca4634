// GPUs with where each of their figures was read: `@gpu-offers/domain/gpus`. The texts are long, and few programs show them.

export { gpuFactNote, gpuFactSources, type GpuFactSources } from "./gpu/gpu-fact-sources.js";
export type { GpuFactSource, MakerSource } from "./gpu/gpu-facts-schema.js";
export { gpuSets } from "./market/gpu-selection.js";
export { listGpus, listGpusOf } from "./market/gpu-entry.js";
export { gpuEntrySchema, gpuListSchema, gpuPricesQuerySchema, gpuPricesSchema } from "./market/gpu-entry-schema.js";
