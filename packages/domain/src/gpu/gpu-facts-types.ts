// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** What is published about one GPU of a model. Null is unknown, never zero. */
export interface GpuFacts {
  /** Memory bandwidth in GB/s; null if unknown. */
  memoryBandwidthGBs: number | null;
  /** Dense BF16 in TFLOPS, with FP32 accumulation; null if unknown, or if it has none. */
  bf16Tflops: number | null;
  /**
   * Dense FP16 in TFLOPS, with FP32 accumulation, or the vector rate of cards without matrix units; null if unknown.
   */
  fp16Tflops: number | null;
  /** Dense FP8 in TFLOPS, with FP32 accumulation; null if unknown, or if it has none. */
  fp8Tflops: number | null;
  /**
   * NVLink in GB/s, both directions. PCIe and NVL cards have it with an optional bridge only: see nvlinkEnabled of an
   * offer. Null if unknown, or if it has none.
   */
  nvlinkGBs: number | null;
  /** Maximum board power in W; null if unknown. */
  tdpW: number | null;
  /** Year in which it was launched; null if unknown. */
  year: number | null;
}
