import * as z from "zod";

const text = z.string().max(2000);
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

/** A document of the maker that covers a model. */
export const makerSourceSchema = z
  .object({
    title: text.describe("Title of the document."),
    url: text.nullable().describe("Its address; null if it has none."),
    checked: z.boolean().describe("Whether the document itself was read."),
  })
  .describe("A document of the maker that covers a model.");
export type MakerSource = z.output<typeof makerSourceSchema>;

/** The source of a figure. */
export const gpuFactSourceSchema = z
  .object({
    title: text.nullable().describe("The table in which the figure was read; null if it is in no stored table."),
    url: text.nullable().describe("Address of the table; null if it has none."),
    maker: makerSourceSchema.nullable().describe("The maker's document; null if there is none."),
  })
  .describe("Where a figure comes from.");
export type GpuFactSource = z.output<typeof gpuFactSourceSchema>;
