import { describe, expect, test } from "vitest";
import { didYouMean, takenText, valuesNamed } from "./named-filters.js";

describe("the values of names", () => {
  test("expand families, and say so", () => {
    const named = valuesNamed("gpu", ["h200", "H200"]);
    expect(named).toMatchObject({ kind: "known", values: expect.arrayContaining(["h200-sxm"]) });
    expect(named.kind === "known" && named.taken.map(takenText)[0]).toMatch(/^h200: .*h200-sxm/);
  });

  test("say nothing about values as they are written", () => {
    expect(valuesNamed("gpu", ["=h100", "H100-SXM"])).toEqual({
      kind: "known",
      values: ["h100", "h100-sxm"],
      taken: [],
    });
    expect(valuesNamed("provider", ["RunPod"], ["runpod"])).toMatchObject({ values: ["runpod"], taken: [] });
  });

  test("name the first unknown one with its nearest names", () => {
    expect(valuesNamed("country", ["Norway", "Germny"])).toMatchObject({ kind: "unknown", name: "Germny" });
  });
});

describe("a suggestion", () => {
  test("lists names as people do", () => {
    expect(didYouMean([])).toBeUndefined();
    expect(didYouMean(["A"])).toBe("did you mean A?");
    expect(didYouMean(["A", "B", "C"])).toBe("did you mean A, B or C?");
  });
});
