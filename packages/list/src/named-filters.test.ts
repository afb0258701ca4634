import { describe, expect, it } from "vitest";
import { didYouMean, takenText, valuesNamed } from "./named-filters.ts";

describe("the values of names", () => {
  it("expand families, and say so", () => {
    const named = valuesNamed("gpu", ["h200", "H200"]);
    expect(named).toMatchObject({ kind: "known", values: expect.arrayContaining(["h200-sxm"]) });
    expect(named.kind === "known" && named.taken.map(takenText)[0]).toMatch(/^h200: .*h200-sxm/);
  });

  it("say nothing about values as they are written", () => {
    expect(valuesNamed("gpu", ["=h100", "H100-SXM"])).toEqual({
      kind: "known",
      values: ["h100", "h100-sxm"],
      taken: [],
    });
    expect(valuesNamed("provider", ["RunPod"], ["runpod"])).toMatchObject({ values: ["runpod"], taken: [] });
  });

  it("name the first unknown one with its nearest names", () => {
    expect(valuesNamed("country", ["Norway", "Germny"])).toMatchObject({ kind: "unknown", name: "Germny" });
  });
});

describe("a suggestion", () => {
  it("lists names as people do", () => {
    expect(didYouMean([])).toBeUndefined();
    expect(didYouMean(["A"])).toBe("did you mean A?");
    expect(didYouMean(["A", "B", "C"])).toBe("did you mean A, B or C?");
  });
});
