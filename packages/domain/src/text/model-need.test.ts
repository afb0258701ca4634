import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MODEL_NEED_PATTERN, parseBits, parseModelNeed, parseTokens } from "./model-need.js";

const seed = 20_261_123;

describe("a model in one word", () => {
  test.each([
    ["70b", { paramsB: 70 }],
    ["70B", { paramsB: 70 }],
    ["0.5b", { paramsB: 0.5 }],
    ["1t", { paramsB: 1000 }],
    ["70b@8", { paramsB: 70, bits: 8 }],
    ["70b@fp8", { paramsB: 70, bits: 8 }],
    ["70b@int4", { paramsB: 70, bits: 4 }],
    ["70b@4.5", { paramsB: 70, bits: 4.5 }],
    ["70b@8,16k", { paramsB: 70, bits: 8, contextTokens: 16_384 }],
    ["70b @ 8, 16k", { paramsB: 70, bits: 8, contextTokens: 16_384 }],
    ["70b,16000", { paramsB: 70, contextTokens: 16_000 }],
    ["405b@8,1m,4x", { paramsB: 405, bits: 8, contextTokens: 1_048_576, sequences: 4 }],
    ["405b,4x", { paramsB: 405, sequences: 4 }],
  ])("%s", (text, need) => {
    expect(parseModelNeed(text)).toEqual({ ok: true, need });
  });

  test.each([
    ["", "70b"],
    ["70", "70b"],
    ["llama-70b", "70b"],
    ["8x7b", "70b"],
    ["70b@", "bits"],
    ["70b@8@4", "70b"],
    ["70b@x", "bits"],
    ["70b@64", "bits must be"],
    ["70b,16k,32k", "70b"],
    ["70b,4x,4x", "70b"],
    ["70b,", "70b"],
    ["70b,0", "contextTokens must be"],
    ["0b", "paramsB must be"],
  ])("%j is invalid, and says how one is written", (text, reason) => {
    const result = parseModelNeed(text);
    expect(result.ok).toBe(false);
    expect(result.ok ? "" : result.reason).toContain(reason);
  });

  test("is valid if it has the documented form", () => {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(MODEL_NEED_PATTERN)), (text) => {
        expect(parseModelNeed(text)).toMatchObject({ ok: true });
      }),
      { seed, numRuns: 2000 },
    );
  });

  test("of any text never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.bt@,kmx]{0,12}$/)), (text) => {
        expect(typeof parseModelNeed(text).ok).toBe("boolean");
      }),
      { seed, numRuns: 2000 },
    );
  });
});

test("bits and tokens have usual spellings", () => {
  expect(["16", "FP8", "bf16", "int4", "nvfp4", "q4", "none", "-8"].map(parseBits)).toEqual([
    16,
    8,
    16,
    4,
    4,
    4,
    undefined,
    undefined,
  ]);
  expect(["8192", "16k", "128K", "1m", "k", "1.5k"].map(parseTokens)).toEqual([
    8192,
    16_384,
    131_072,
    1_048_576,
    undefined,
    undefined,
  ]);
});
