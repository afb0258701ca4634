import { describe, expect, test } from "vitest";
import { chooseGpu } from "./choose-gpu.js";
import { parseGpuAliases, readGpuAliasFile } from "./gpu-alias.js";
import { Rejection } from "./rejection.js";
import { readRow } from "./skypilot/read-skypilot.fixture.js";

const slugOf = (name: string, aliases: readonly string[]) => {
  const gpu = chooseGpu({ provider: "somebody", instanceType: "", name, count: 2, aliases: parseGpuAliases(aliases) });
  return gpu instanceof Rejection ? gpu.code : gpu.model.slug;
};

describe("a GPU alias", () => {
  test("defines a name, in any case and with any separators", () => {
    expect(slugOf("Hopper Turbo", [])).toBe("unknown_gpu");
    for (const name of ["Hopper Turbo", "HOPPER_TURBO", "hopper-turbo"]) {
      expect(slugOf(name, ["Hopper Turbo=h100-pcie"])).toBe("h100-pcie");
    }
  });

  test("takes precedence over the table, and the last of two over the first", () => {
    expect(slugOf("A100", ["A100=a100-sxm-80gb"])).toBe("a100-sxm-80gb");
    expect(slugOf("X", ["X=l4", "X=l40"])).toBe("l40");
  });

  test("turns a catalog row into an offer that was rejected for an unknown name", async () => {
    const row = { InstanceType: "t", AcceleratorName: "Hopper Turbo" };
    expect(await readRow(row)).toMatchObject({ code: "unknown_gpu", gpuName: "Hopper Turbo" });
    const gpuAliases = parseGpuAliases(["Hopper Turbo = H100-PCIe"]);
    expect(await readRow(row, { gpuAliases })).toMatchObject({ kind: "offer", offer: { gpu: { slug: "h100-pcie" } } });
  });

  test.each([
    ["Hopper", "Hopper is not a GPU alias. Write NAME=slug"],
    ["=h100", '"=h100" is not a GPU alias.'],
    ["A=B=h100", '"A=B=h100" is not a GPU alias.'],
    ["Hopper=h1000", 'h1000 in the GPU alias "Hopper=h1000" is not a known GPU slug.'],
    [" - = h100", '" - = h100" is not a GPU alias.'],
  ])("written as %j is an error", (line, message) => {
    expect(() => parseGpuAliases([line])).toThrow(message);
  });

  test("can be in a file, one per line", () => {
    const text = "\ufeff# taught in November\r\n\r\nHopper Turbo=h100-pcie\r\n  Foo_9=rtx-4090 \n";
    expect([...readGpuAliasFile(text)].map(([name, { slug }]) => `${name}=${slug}`)).toEqual([
      "hopper turbo=h100-pcie",
      "foo 9=rtx-4090",
    ]);
    expect(readGpuAliasFile("").size).toBe(0);
    expect(() => readGpuAliasFile("Foo=bar")).toThrow("bar in the GPU alias");
  });
});
