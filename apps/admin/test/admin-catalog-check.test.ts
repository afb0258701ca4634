import { nativeFile, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { describe, expect, test } from "vitest";
import { catalogCheckJson } from "../src/catalog-check.ts";
import { importNative } from "./catalog-commands.ts";
import { admin, adminDone } from "./in-process.ts";

const DEAR = 400;

describe("catalog check", () => {
  test(
    "lists unknown and suspicious facts, and fails because of them only with --strict",
    { timeout: 120_000 },
    async () => {
      const databasePath = tempDatabase();
      const rows = [
        ...nativeRows(6, { gpu: "h100-pcie", gpuCount: 2, countryCode: undefined as never, region: "moon" }),
        ...nativeRows(1, { gpu: "h100-pcie", region: "oslo-9", instanceType: "dear", priceHourly: DEAR }),
      ];
      await importNative(databasePath, nativeFile(rows));
      const { stdout } = await adminDone(databasePath, "catalog", "check", "--max-age", "0", "--json");
      const report = catalogCheckJson.parse(JSON.parse(stdout));
      expect(report).toMatchObject({
        offers: 7,
        providers: 1,
        located: 1,
        unlocated_regions: [{ provider: "fjord", region: "moon", offers: 6 }],
        unknown_nvlink: [{ provider: "fjord", gpu: "h100-pcie", offers: 6 }],
        suspicious_prices: [{ provider: "fjord", gpu: "h100-pcie", direction: "above", offers: 1, lowest: DEAR }],
        cross_products: [],
      });
      expect(report.findings).toBe(3 + report.old_providers.length);

      const strict = await admin(databasePath, "catalog", "check", "--strict", "--price-factor", "2");
      expect(strict.code).toBe(1);
      expect(strict.stdout).toContain("Locations: 6 offers without a known country (14.2% located)");
      expect(strict.stdout).toContain("NVLink: unknown for 6 multi-GPU offers");
      expect(strict.stderr).toMatch(/^gpu-offers-admin: \d findings\.\n$/);
      expect(strict.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test("tells machines that are known to have no NVLink from those of which it isn't known", async () => {
    const databasePath = tempDatabase();
    const rows = ["n3-A100x2", "n3-A100x4", "custom-A100x2"].map(
      (type) => `${type},A100-80G-PCIe,${type.at(-1)},28,120,,2.7,CANADA-1`,
    );
    const header = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region";
    const file = tempFile("vms.csv", [header, ...rows].join("\n"));
    await adminDone(databasePath, "catalog", "import", file, "--provider", "hyperstack");
    const { stdout } = await adminDone(databasePath, "catalog", "check", "--json");
    expect(catalogCheckJson.parse(JSON.parse(stdout)).unknown_nvlink).toEqual([
      { provider: "hyperstack", gpu: "a100-pcie-80gb", offers: 1 },
    ]);
  });
});
