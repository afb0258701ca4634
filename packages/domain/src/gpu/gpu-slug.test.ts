import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findGpuSlug, gpuSlugSchema, isGpuSlug, MAX_SLUG_LENGTH } from "../index.js";

describe("a GPU slug", () => {
  test.each(["h100", "h100-sxm", "a100-pcie-80gb", "4090", "a".repeat(MAX_SLUG_LENGTH)])("may be %s", (slug) => {
    expect(isGpuSlug(slug)).toBe(true);
    expect(gpuSlugSchema.parse(slug)).toBe(slug);
    expect(findGpuSlug(slug.toUpperCase())).toBe(slug);
  });

  test.each(["", "-h100", "h100-", "h100--sxm", "h100 sxm", "h100_sxm", "h100.5", "h100\n", "é", "\u212A80"])(
    "is not %j, in any case",
    (text) => {
      expect(isGpuSlug(text)).toBe(false);
      expect(findGpuSlug(text)).toBe(undefined);
      expect(gpuSlugSchema.safeParse(text).error?.issues[0]?.message).toBe(
        "must be lower-case letters and digits joined by single hyphens, at most 64 characters",
      );
    },
  );

  test("is at most 64 characters long", () => {
    const text = "a".repeat(65);
    expect([MAX_SLUG_LENGTH, isGpuSlug(text), findGpuSlug(text), gpuSlugSchema.safeParse(text).success]).toEqual([
      64,
      false,
      undefined,
      false,
    ]);
  });

  test("has no upper-case letters, but is found by them", () => {
    expect(isGpuSlug("H100")).toBe(false);
    expect(findGpuSlug("H100-Sxm")).toBe("h100-sxm");
  });

  test("is the result of any successful lookup", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Ka-c0-3-]{1,8}$/)), (text) => {
        const slug = findGpuSlug(text);
        expect(slug === undefined || (isGpuSlug(slug) && slug === text.toLowerCase())).toBe(true);
        expect(findGpuSlug(text.toUpperCase()) !== undefined || !isGpuSlug(text)).toBe(true);
      }),
      { seed: 20_261_120, numRuns: 1000 },
    );
  });
});
