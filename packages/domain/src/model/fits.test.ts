import { describe, expect, test } from "vitest";
import { cheapestFits, fitInto, fitOf, fits, type Fit } from "./fits.js";
import { memoryNeed } from "./memory-need.js";
import type { ModelNeed } from "../text/model-need.js";
import { exampleOffer } from "../offer.fixture.js";

const GIB = 1024 ** 3 / 1e9;
const K = 1024;
const M = K * K;

describe("memory of a model", () => {
  // huggingface/blog, llama31.md: weights in GB, KV caches in GiB.
  test.each([
    [8, [16, 8, 4]],
    [70, [140, 70, 35]],
    [405, [810, 405, 202.5]],
  ])("has the published weights: %d B", (paramsB, [fp16, fp8, int4]) => {
    expect([16, 8, 4].map((bits) => memoryNeed({ paramsB, bits }).weights.gb)).toEqual([fp16, fp8, int4]);
  });

  test.each([
    [8, 1024, 0.125],
    [8, 16_000, 1.95],
    [8, 128_000, 15.62],
    [70, 1024, 0.313],
    [70, 16_000, 4.88],
    [70, 128_000, 39.06],
  ])("has the published KV cache: %d B with %d tokens", (paramsB, contextTokens, gib) => {
    expect(memoryNeed({ paramsB, contextTokens }).kvCache.gb / GIB).toBeCloseTo(gib, 1);
  });

  test("has the published KV cache of 405 B with the 16 KV heads of its first release, half of it with the 8 of today", () => {
    const first = memoryNeed({ paramsB: 405, contextTokens: 128_000, layers: 126, kvHeads: 16, headDim: 128 });
    expect(first.kvCache.gb / GIB).toBeCloseTo(123.05, 1);
    expect(memoryNeed({ paramsB: 405, contextTokens: 128_000 }).kvCache.gb / GIB).toBeCloseTo(61.5, 1);
  });

  test("says what it calculated and what it assumed, with sources", () => {
    const need = memoryNeed({ paramsB: 70 });
    expect(need.weights.formula).toBe("70 B parameters x 16 bits / 8");
    expect(need.kvCache.formula).toBe("2 x 80 layers x 8 KV heads x 128 x 2 bytes x 8k tokens");
    expect(need.kvCache.source.url).toContain("llama-models");
    expect(need.assumptions).toEqual([
      "16 bits per parameter",
      "a context of 8k tokens",
      "one sequence at a time",
      "layers and KV heads of Llama 3.1 70B (80, 8 x 128)",
      "a KV cache with 16 bits",
      "room for activations and CUDA graphs is a share of the memory, not calculated",
    ]);
    const stated = memoryNeed({ paramsB: 671, bits: 8, contextTokens: K, sequences: 2, kvBytesPerToken: 70_272 });
    expect(stated.kvCache).toMatchObject({
      gb: (70_272 * 2 * K) / 1e9,
      perGpu: false,
      formula: "70272 bytes per token x 1k tokens x 2 sequences",
    });
    expect(stated.assumptions).toHaveLength(1);
  });

  test.each([
    [{ paramsB: 0 }, "paramsB"],
    [{ paramsB: Number.NaN }, "paramsB"],
    [{ paramsB: 70, bits: 64 }, "bits"],
    [{ paramsB: 70, contextTokens: 0.5 }, "contextTokens"],
    [{ paramsB: 70, sequences: 0 }, "sequences"],
    [{ paramsB: 70, layers: 80 }, "together"],
  ] satisfies [ModelNeed, string][])("of an invalid model %j is an error", (need, problem) => {
    expect(() => memoryNeed(need)).toThrow(problem);
  });
});

describe("published configurations", () => {
  const mla = { kvBytesPerToken: 61 * 576 * 2, kvPerGpu: true };
  const qwenCoder = { paramsB: 480, layers: 62, kvHeads: 8, headDim: 128 };
  const qwenVision = { paramsB: 235, layers: 94, kvHeads: 4, headDim: 128, contextTokens: 262_144 };
  // 220 GB of weights, and 62 layers x 8 KV heads x 128.
  const miniMax2 = { paramsB: 220, bits: 8, layers: 62, kvHeads: 8, headDim: 128 };
  const miniMax3 = { paramsB: 427, bits: 8 };
  const kimi = { paramsB: 1000, ...mla };

  /** Model, GPUs, GB per GPU, and what the rule says where the documents say that it works. */
  const works: readonly (readonly [example: string, need: ModelNeed, count: number, vramGb: number, fit: Fit])[] = [
    ["1: Llama 3.1 405B FP8 on 8 x H100", { paramsB: 405, bits: 8 }, 8, 80, "fits"],
    ["2: Llama 4 Scout INT4 on one H100", { paramsB: 109, bits: 4 }, 1, 80, "fits"],
    ["2: Llama 4 Maverick FP8 on 8 x H100", { paramsB: 400, bits: 8 }, 8, 80, "fits"],
    ["3: gpt-oss-120b (65 GB) on one A100", { paramsB: 65, bits: 8, kvBytesPerToken: 36_864 }, 1, 80, "fits"],
    ["4: Llama 3.3 70B FP8 on one H100", { paramsB: 70, bits: 8, contextTokens: 4 * K }, 1, 80, "tight"],
    ["4: Llama 3.3 70B FP8 on one H200", { paramsB: 70, bits: 8 }, 1, 141, "fits"],
    ["4: Llama 3.3 70B BF16 on one MI300X", { paramsB: 70 }, 1, 192, "fits"],
    ["5: Qwen2.5-VL 72B BF16 on 4 x A100", { paramsB: 72, contextTokens: 128 * K }, 4, 80, "fits"],
    [
      "6: Qwen3 Coder 480B BF16 with 32,000 tokens on 8 x H200",
      { ...qwenCoder, contextTokens: 32_000 },
      8,
      141,
      "tight",
    ],
    [
      "6: Qwen3 Coder 480B FP8 with 128k tokens on 8 x H200",
      { ...qwenCoder, bits: 8, contextTokens: 128 * K },
      8,
      141,
      "fits",
    ],
    ["7: Qwen3-VL 235B BF16 with 256k tokens on 8 x H200", qwenVision, 8, 141, "fits"],
    ["7: Qwen3-VL 235B FP8, images only, on 4 x H100", { ...qwenVision, bits: 8 }, 4, 80, "tight"],
    ["8: MiniMax M2 with 400k tokens on 4 x 96 GB", { ...miniMax2, contextTokens: 400_000 }, 4, 96, "fits"],
    ["8: MiniMax M2 with 3M tokens on 8 x 144 GB", { ...miniMax2, contextTokens: 3_000_000 }, 8, 144, "fits"],
    ["8: MiniMax M2 with 1.5M tokens on 4 x 192 GB", { ...miniMax2, contextTokens: 1_500_000 }, 4, 192, "fits"],
    ["9: Kimi K2 FP8 with 128k tokens on 16 x H800", { ...kimi, bits: 8, contextTokens: 128 * K }, 16, 80, "tight"],
    [
      "10: Kimi K2 Thinking INT4 with 715,072 tokens on 8 x H200",
      { ...kimi, bits: 4, contextTokens: 715_072 },
      8,
      141,
      "fits",
    ],
    [
      "11: Mistral Large 3 FP8 with 256k tokens on 8 x H200",
      { paramsB: 675, bits: 8, contextTokens: 256 * K, ...mla },
      8,
      141,
      "fits",
    ],
    [
      "11: Mistral Large 3 NVFP4 below 64k tokens on 4 x B200",
      { paramsB: 675, bits: 4, contextTokens: 64 * K, ...mla },
      4,
      180,
      "fits",
    ],
    ["11: DeepSeek V3.1 FP8 on 8 x H200", { paramsB: 671, bits: 8, contextTokens: 128 * K, ...mla }, 8, 141, "fits"],
    ["13: Laguna S 2.1 BF16 (235 GB) on 2 x H200", { paramsB: 117.5 }, 2, 141, "tight"],
    ["13: Laguna S 2.1 FP8 (121 GB) on 2 x H200", { paramsB: 121, bits: 8 }, 2, 141, "fits"],
    ["13: Laguna S 2.1 FP8 (121 GB) on one B300", { paramsB: 121, bits: 8 }, 1, 288, "fits"],
    ["13: Laguna S 2.1 INT4 (72 GB) on one H200", { paramsB: 144, bits: 4 }, 1, 141, "fits"],
    ["14: MiniMax M3 MXFP8 with 128k tokens on 8 x H100", { ...miniMax3, contextTokens: 128 * K }, 8, 80, "fits"],
    ["14: MiniMax M3 MXFP8 with 1M tokens on 8 x H200", { ...miniMax3, contextTokens: M }, 8, 141, "fits"],
    ["15: Gemma 4 31B BF16 on one H100", { paramsB: 31 }, 1, 80, "fits"],
  ];

  test.each(works)("%s works, and the rule agrees", (_, need, count, vramGb, fit) => {
    expect(fitInto(count, vramGb, memoryNeed(need)).fit).toBe(fit);
  });

  const fails: readonly (readonly [example: string, need: ModelNeed, count: number, vramGb: number])[] = [
    ["1: Llama 3.1 405B FP16 on 8 x H100", { paramsB: 405 }, 8, 80],
    ["5: Qwen2.5-VL 72B BF16 on 2 x A100", { paramsB: 72, contextTokens: 128 * K }, 2, 80],
    ["6: Qwen3 Coder 480B BF16 with 256k tokens on 8 x H200", { ...qwenCoder, contextTokens: 256 * K }, 8, 141],
    ["9: Kimi K2 FP8 with 128k tokens on 8 x H200", { ...kimi, bits: 8, contextTokens: 128 * K }, 8, 141],
    ["14: MiniMax M3 MXFP8 with 1M tokens on 8 x H100", { ...miniMax3, contextTokens: M }, 8, 80],
    [
      "16: Mistral Medium 3.5 (134 GB) with 256k tokens on one MI300X",
      { paramsB: 134, bits: 8, layers: 88, kvHeads: 8, headDim: 128, contextTokens: 256 * K },
      1,
      192,
    ],
  ];

  test.each(fails)("%s fails, and the rule agrees", (_, need, count, vramGb) => {
    expect(fitInto(count, vramGb, memoryNeed(need)).fit).toBe("no");
  });

  /** What the rule says where the documents say otherwise. */
  const exceptions: readonly (readonly [example: string, need: ModelNeed, count: number, vramGb: number, fit: Fit])[] =
    [
      // Runs out of memory with the server's defaults, and works with 0.95 of the memory and small batches.
      ["3: gpt-oss-120b (65 GB) on one H100", { paramsB: 65, bits: 8, kvBytesPerToken: 36_864 }, 1, 80, "fits"],
      // Works with a shorter context or images only: activations of the vision part need more than a tenth of the weights.
      ["7: Qwen3-VL 235B BF16 with 256k tokens on 8 x H100", qwenVision, 8, 80, "fits"],
      // Published for a cache with 8 bits: with 16 bits it would exceed what the cards hold, or nearly.
      ["8: MiniMax M2 with 500k tokens on 2 x 192 GB", { ...miniMax2, contextTokens: 500_000 }, 2, 192, "no"],
      ["8: MiniMax M2 with 1.5M tokens on 2 x 288 GB", { ...miniMax2, contextTokens: 1_500_000 }, 2, 288, "no"],
      ["8: MiniMax M2 with 4M tokens on 4 x 288 GB", { ...miniMax2, contextTokens: 4_000_000 }, 4, 288, "no"],
      // Works without CUDA graphs alone. Most of its layers keep no cache.
      [
        "12: Qwen3.8 27B NVFP4 (26.4 GB) with 32k tokens on one RTX 5090",
        { paramsB: 26.4, bits: 8, contextTokens: 32 * K, kvBytesPerToken: 65_536 },
        1,
        32,
        "tight",
      ],
      // Works text-only: AMD's 192 GB are GiB, of which a server takes 185 GB. Its layers are those of Mistral Large 2.
      [
        "16: Mistral Medium 3.5 (134 GB) with 128k tokens on one MI300X",
        { paramsB: 134, bits: 8, layers: 88, kvHeads: 8, headDim: 128, contextTokens: 128 * K },
        1,
        192,
        "no",
      ],
    ];

  test.each(exceptions)("%s is a known exception", (_, need, count, vramGb, fit) => {
    expect(fitInto(count, vramGb, memoryNeed(need)).fit).toBe(fit);
  });

  test("those of MiniMax M2 fit with a cache of 8 bits", () => {
    const half = { ...miniMax2, layers: undefined, kvHeads: undefined, headDim: undefined, kvBytesPerToken: 126_976 };
    expect(fitInto(2, 288, memoryNeed({ ...half, contextTokens: 1_500_000 })).fit).toBe("fits");
    expect(fitInto(4, 288, memoryNeed({ ...half, contextTokens: 4_000_000 })).fit).toBe("fits");
  });

  test("of Kimi K2 Thinking has the published size of its cache", () => {
    expect(memoryNeed({ ...kimi, contextTokens: 715_072 }).kvCache.gb / GIB).toBeCloseTo(46.8, 1);
  });
});

describe("an offer", () => {
  const gpu = (slug: string, vramGB: number) => ({ name: slug, slug, vramGB, architecture: "Any" });
  const need = memoryNeed({ paramsB: 8 });

  test.each([
    ["rtx-4090", 24, 1, false, "fits"],
    ["rtx-2080-ti", 20, 1, false, "tight"],
    ["rtx-4080", 16, 1, false, "no"],
    ["rtx-4090", 24, 2, false, "fits"],
    ["rtx-4090", 24, 4, false, "no"],
    ["rtx-4090", 24, 8, false, "no"],
    ["a100-pcie-80gb", 80, 4, true, "fits"],
    ["a100-pcie-80gb", 80, 4, false, "no"],
    ["h100-sxm", 80, 8, false, "fits"],
    ["mi300x", 192, 8, false, "fits"],
    ["gb200", 186, 4, false, "fits"],
    ["h100", 80, 8, false, "no"],
    ["h100-sxm", 80, 3, true, "no"],
    ["h100-sxm", 80, 16, true, "no"],
    ["unknown-card", 80, 4, false, "no"],
    ["unknown-card", 80, 2, false, "fits"],
  ] as const)("of %s with %d GB x %d, NVLink %s: %s", (slug, vramGB, gpuCount, nvlinkEnabled, expected) => {
    expect(fits(exampleOffer({ gpu: gpu(slug, vramGB), gpuCount, nvlinkEnabled }), need)).toBe(expected);
  });

  test("says why its GPUs can't be used together", () => {
    const offer = (gpuCount: number) => exampleOffer({ gpu: gpu("rtx-5090", 32), gpuCount });
    expect(fitOf(offer(16), need).reason).toContain("not 16");
    expect(fitOf(offer(8), need).reason).toContain("link");
    expect(fitOf(offer(2), need).reason).toBeNull();
    // Where the memory doesn't suffice, that is the reason.
    expect(fitOf(offer(16), memoryNeed({ paramsB: 405 }))).toMatchObject({ fit: "no", reason: null });
  });
});

test("the cheapest fitting offers are one for each GPU and count, by price, then by fewer GPUs", () => {
  const offer = (id: string, slug: string, vramGB: number, gpuCount: number, priceHourly: number, isAvailable = true) =>
    exampleOffer({
      id,
      gpu: { name: slug, slug, vramGB, architecture: "Any" },
      gpuCount,
      priceHourly,
      pricePerGpu: priceHourly / gpuCount,
      isAvailable,
    });
  const offers = [
    offer("a", "h100-sxm", 80, 8, 16),
    offer("b", "h100-sxm", 80, 8, 15),
    offer("c", "b200", 180, 4, 15),
    offer("d", "b200", 180, 4, 14, false),
    offer("e", "h100-sxm", 80, 1, 2),
    offer("f", "rtx-5090", 32, 16, 5),
    offer("g", "mi300x", 192, 8, 30),
  ];
  const found = cheapestFits(offers, memoryNeed({ paramsB: 405, bits: 8 }));
  expect(found.map(({ offer: { id }, result: { fit: verdict } }) => `${id} ${verdict}`)).toEqual([
    "c fits",
    "b fits",
    "g fits",
  ]);
});
