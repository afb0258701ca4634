import { describe, expect, test } from "vitest";
import { readRow } from "./read-skypilot.fixture.js";

const azure = (row: Partial<Record<string, string>>) => readRow(row, { provider: "azure" });

describe("documented instance types of Azure", () => {
  test("have the documented count, not that of the file", async () => {
    const row = { InstanceType: "Standard_ND96isr_H100_v5", AcceleratorCount: "12" };
    expect(await azure(row)).toMatchObject({ kind: "offer", offer: { gpuCount: 8, pricePerGpu: 12.29 } });
    expect(await readRow(row)).toMatchObject({ offer: { gpuCount: 12 } });
  });

  test.each([
    ["Standard_NV4as_v4", "1/8"],
    ["Standard_NV8as_v4", "1/4"],
    ["Standard_NV16as_v4", "1/2"],
    ["Standard_NV6ads_A10_v5", "1/6"],
    ["Standard_NV12ads_A10_v5", "1/3"],
    ["Standard_NV18ads_A10_v5", "1/2"],
  ])("such as %s are refused as %s of a card", async (InstanceType, share) => {
    expect(await azure({ InstanceType, AcceleratorName: "A10", AcceleratorCount: "1" })).toMatchObject({
      code: "fractional_gpu",
      reason: expect.stringContaining(
        `${InstanceType} has ${share} of a card, though AcceleratorCount says 1 (https://`,
      ),
    });
  });

  test("of the NC H100 v5 series have the H100 NVL with 94 GB", async () => {
    const row = { InstanceType: "Standard_NC80adis_H100_v5", AcceleratorCount: "2", GpuInfo: "H100" };
    expect(await azure(row)).toMatchObject({ offer: { gpu: { slug: "h100-nvl", vramGB: 94 }, gpuCount: 2 } });
  });
});
