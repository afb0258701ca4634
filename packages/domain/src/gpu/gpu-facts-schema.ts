import * as z from "zod";

const figure = z.number().nullable();

/** What is published about one GPU of a model. Null is unknown, never zero. */
export const gpuFactsSchema = z
  .object({
    memoryBandwidthGBs: figure.describe("Memory bandwidth in GB/s; null if unknown."),
    bf16Tflops: figure.describe("Dense BF16 in TFLOPS, with FP32 accumulation; null if unknown, or if it has none."),
    fp16Tflops: figure.describe(
      "Dense FP16 in TFLOPS, with FP32 accumulation, or the vector rate of cards without matrix units; null if unknown.",
    ),
    fp8Tflops: figure.describe("Dense FP8 in TFLOPS, with FP32 accumulation; null if unknown, or if it has none."),
    nvlinkGBs: figure.describe(
      "NVLink in GB/s, both directions. PCIe and NVL cards have it with an optional bridge only: see nvlinkEnabled of an offer. Null if unknown, or if it has none.",
    ),
    tdpW: figure.describe("Maximum board power in W; null if unknown."),
    year: z.int().nullable().describe("Year in which it was launched; null if unknown."),
  })
  .describe("What is published about one GPU of a model. Null is unknown, never zero.");
export type GpuFacts = z.output<typeof gpuFactsSchema>;
