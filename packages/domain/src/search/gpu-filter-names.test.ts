import { describe, expect, test } from "vitest";
import { gpuModels, gpuSlugs } from "../index.js";

describe("the name of a GPU", () => {
  test.each([
    ["h100", "h100 h100-nvl h100-pcie h100-sxm"],
    [" H100 ", "h100 h100-nvl h100-pcie h100-sxm"],
    ["nvidia h100", "h100 h100-nvl h100-pcie h100-sxm"],
    ["=h100", "h100"],
    ["= H100", "h100"],
    ["=no-such-gpu", "no-such-gpu"],
    ["h100-sxm", "h100-sxm"],
    ["H100 SXM5", "h100-sxm"],
    ["a100 80gb", "a100-80gb a100-pcie-80gb a100-sxm-80gb"],
    ["a100-sxm", "a100-sxm-40gb a100-sxm-80gb"],
    ["a100-sxm-80gb", "a100-sxm-80gb"],
    ["4090", "rtx-4090 rtx-4090-48gb rtx-4090-d"],
    ["rtx 4090", "rtx-4090 rtx-4090-48gb"],
    ["a6000", "rtx-a6000"],
    ["RTX 6000 Ada", "rtx-6000-ada"],
    ["rtx pro 6000", "rtx-pro-6000 rtx-pro-6000-max-q rtx-pro-6000-server rtx-pro-6000-workstation"],
    ["rtx-pro-6000-server", "rtx-pro-6000-server"],
    ["a10", "a10"],
    ["l40", "l40"],
    ["b200", "b200"],
    ["gh200", "gh200-144gb gh200-96gb"],
    ["mi300", "mi300a mi300x"],
    ["v100-32gb", "v100-32gb v100-pcie-32gb v100-sxm-32gb"],
    ["3060", "rtx-3060 rtx-3060-8gb rtx-3060-ti"],
    ["6000 ada", "rtx-6000-ada"],
    ["3090ti", "rtx-3090-ti"],
    ["3080 ti", "rtx-3080-ti"],
    ["geforce 1080 ti", "gtx-1080-ti"],
    ["4060 ti 16gb", "rtx-4060-ti-16gb"],
    ["pro6000", "rtx-pro-6000 rtx-pro-6000-max-q rtx-pro-6000-server rtx-pro-6000-workstation"],
  ])("%j means %s", (name, slugs) => {
    expect(gpuSlugs(name)).toEqual({ kind: "known", values: slugs.split(" ") });
  });

  test("may be a vendor or an architecture", () => {
    const slugsOf = (wanted: string): string[] =>
      gpuModels
        .filter(({ vendor, architecture }) => [vendor, architecture].includes(wanted))
        .map(({ slug }) => slug)
        .toSorted();
    expect(gpuSlugs("amd")).toEqual({ kind: "known", values: slugsOf("AMD") });
    expect(gpuSlugs("hopper")).toEqual({ kind: "known", values: slugsOf("Hopper") });
  });

  test.each(gpuModels.map(({ slug }) => [slug]))("%s resolves to slugs including itself", (slug) => {
    expect(gpuSlugs(slug)).toMatchObject({ kind: "known", values: expect.arrayContaining([slug]) });
    expect(gpuSlugs(`=${slug}`)).toEqual({ kind: "known", values: [slug] });
  });

  test.each<[string, string[]]>([
    ["h10", ["H100", "A10", "H20"]],
    ["rtx4o90", ["RTX 4090", "RTX 4090 D", "RTX 3090"]],
    ["h1oo", ["H100", "A100", "H200"]],
    ["amd h100", ["H100", "A100", "H200"]],
    ["h100 48gb", ["H100", "A100", "H200"]],
    ["3080tu", ["RTX 3080 Ti", "GTX 1080 Ti", "RTX 2080 Ti"]],
    ["something else", []],
    ["", []],
    ["=", []],
  ])("%j is unknown, with the suggestions %j", (name, nearest) => {
    expect(gpuSlugs(name)).toEqual({ kind: "unknown", nearest });
  });
});
