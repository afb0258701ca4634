import type { Offer } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import {
  allOffers,
  names,
  offers,
  present,
  readCatalogs,
  rowsOf,
  skipped,
  type CatalogName,
  type ReadRow,
} from "./catalogs.fixture.js";

/** The offer of the only row with those values. */
function offerOf(name: CatalogName, wanted: Record<string, string>): Offer {
  const rows = rowsOf(name, wanted);
  const offer = rows[0]?.offer;
  if (rows.length !== 1 || offer === undefined) {
    throw new Error(`${JSON.stringify(wanted)} does not match one offer, but ${JSON.stringify(rows)}`);
  }
  return offer;
}

/** The GPU slugs among rows. */
const slugsOf = (rows: ReadRow[]) => [...new Set(rows.map(({ offer }) => offer?.gpu.slug ?? "none"))].toSorted();

// Known errors and oddities in the samples, each with a row that has it.
describe.skipIf(!present)(`the sample catalogs${skipped}`, () => {
  beforeAll(readCatalogs);

  describe("and prices", () => {
    test("use Price, rounded to 6 decimals, and nothing else", () => {
      // Google Cloud's prices are sums of two rows.
      for (const name of names.filter((other) => other !== "gcp")) {
        for (const { row, offer } of rowsOf(name)) {
          if (offer === undefined) {
            continue;
          }
          expect(offer.priceHourly).toBeCloseTo(Number(row["Price"]), 6);
          expect(offer.priceHourly).toBeGreaterThan(0);
        }
      }
    });

    test("reject the five spot-only rows of verda", () => {
      const spot = rowsOf("verda", { Price: "" }).filter(({ row }) => row["AcceleratorName"] !== "");
      expect(spot).toHaveLength(5);
      expect(spot[0]?.item).toEqual({
        kind: "rejection",
        where: "line 3",
        code: "spot_only",
        reason: "Price is empty and SpotPrice is 4.893: the row only has a spot price.",
        countsAsGpuRow: false,
      });
    });

    test("reject p5e.48xlarge of aws and Standard_NV32as_v4 of azure, which have no price", () => {
      expect(rowsOf("aws", { InstanceType: "p5e.48xlarge", Region: "us-east-2" })).toMatchObject([
        { item: { code: "no_price", reason: "Price and SpotPrice are both empty." } },
      ]);
      expect(rowsOf("azure", { InstanceType: "Standard_NV32as_v4", Region: "westus" })).toMatchObject([
        { item: { code: "no_price" } },
      ]);
    });

    test("ignore a SpotPrice that is 0, equal or higher", () => {
      expect(rowsOf("vast", { SpotPrice: "0.00" }).filter(({ offer }) => offer !== undefined)).toHaveLength(67);
      const equal = rowsOf("runpod").filter(
        ({ row, offer }) => row["SpotPrice"] === row["Price"] && offer !== undefined,
      );
      expect(equal).toHaveLength(79);
      const higher = rowsOf("aws").filter(({ row, offer }) => offer && Number(row["SpotPrice"]) > Number(row["Price"]));
      expect(higher).toHaveLength(3);
    });
  });

  describe("and accelerators", () => {
    test("reject 372 of aws and one of shadeform, which are not GPUs and don't count as GPU rows", () => {
      const counts: Record<string, number> = {};
      for (const { row, item } of [...rowsOf("aws"), ...rowsOf("shadeform")]) {
        if (item.kind !== "rejection" || item.code !== "not_a_gpu") {
          continue;
        }
        expect(item.countsAsGpuRow).toBe(false);
        const accelerator = row["AcceleratorName"] ?? "";
        counts[accelerator] = (counts[accelerator] ?? 0) + 1;
      }
      expect(counts).toEqual({
        Inferentia: 311,
        "Virtex UltraScale (VU9P)": 44,
        Trainium: 13,
        "Gaudi HL-205": 2,
        "Qualcomm AI100": 2,
        GAUDI2: 1,
      });
    });

    test("keep AMD GPUs", () => {
      expect(slugsOf(rowsOf("aws", { AcceleratorName: "Radeon Pro V520" }))).toEqual(["radeon-pro-v520"]);
      expect(slugsOf(rowsOf("azure", { InstanceType: "Standard_NV32as_v4", Region: "eastus" }))).toEqual(["mi25"]);
    });

    test("reject shares of a card that are counted as one card", () => {
      for (const InstanceType of ["Standard_NV4as_v4", "Standard_NV8as_v4", "Standard_NV16as_v4"]) {
        const rows = rowsOf("azure", { InstanceType });
        expect(rows).toHaveLength(7);
        for (const { row, item } of rows) {
          expect(row["AcceleratorCount"]).toBe("1");
          expect(item).toMatchObject({ kind: "rejection", code: "fractional_gpu", countsAsGpuRow: false });
        }
      }
    });

    test("have counts of 1 to 8, 10 and 16", () => {
      const counts = [...new Set(allOffers().map(({ gpuCount }) => gpuCount))].toSorted((a, b) => a - b);
      expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 16]);
      expect(rowsOf("aws", { InstanceType: "p2.16xlarge" })[0]?.offer?.gpuCount).toBe(16);
      expect(rowsOf("vast", { InstanceType: "16x-RTX_5090-32-65536" })[0]?.offer?.gpuCount).toBe(16);
      expect(rowsOf("hyperstack", { InstanceType: "n3-RTX-A4000x10" })[0]?.offer?.gpuCount).toBe(10);
      expect(rowsOf("shadeform", { InstanceType: "crusoe_L40Sx10" })[0]?.offer?.gpuCount).toBe(10);
    });

    test("have 8 GPUs for Standard_ND96isr_H100_v5, although the file states 12", () => {
      const rows = rowsOf("azure", { InstanceType: "Standard_ND96isr_H100_v5" });
      expect(rows.map(({ row }) => row["AcceleratorCount"])).toEqual(["12", "12", "12"]);
      for (const { row, offer } of rows) {
        expect(offer?.gpuCount).toBe(8);
        expect(offer?.pricePerGpu).toBeCloseTo(Number(row["Price"]) / 8, 6);
      }
    });
  });

  describe("and the memory of a GPU", () => {
    test("distinguish the two A100 and the two H100 of vast", () => {
      const rows = rowsOf("vast", { AcceleratorName: "A100" });
      const sizes = new Set(rows.map(({ row, offer }) => `${row["InstanceType"]} ${offer?.gpu.vramGB}`));
      expect([...sizes].toSorted()).toEqual([
        "1x-A100_PCIE-32-65536 80",
        "1x-A100_SXM4-32-65536 40",
        "2x-A100_SXM4-32-65536 40",
        "4x-A100_SXM4-32-65536 40",
      ]);
      expect(slugsOf(rowsOf("vast", { AcceleratorName: "H100" }))).toEqual(["h100-nvl", "h100-sxm"]);
      expect(offerOf("vast", { InstanceType: "1x-H100_NVL-32-65536" }).gpu.vramGB).toBe(94);
    });

    test("resolve the rebuilt RTX 4090, and the names that vast truncates", () => {
      expect(slugsOf(rowsOf("vast", { AcceleratorName: "RTX4090" }))).toEqual(["rtx-4090", "rtx-4090-48gb"]);
      expect(slugsOf(rowsOf("vast", { AcceleratorName: "RTX4070" }))).toEqual(["rtx-4070-ti-super"]);
      expect(slugsOf(rowsOf("vast", { AcceleratorName: "RTX4060" }))).toEqual(["rtx-4060-ti-16gb"]);
      expect(slugsOf(rowsOf("vast", { AcceleratorName: "RTX3060" }))).toEqual(["rtx-3060", "rtx-3060-ti"]);
      expect(slugsOf(rowsOf("vast", { AcceleratorName: "RTXA2000" }))).toEqual(["rtx-a2000-6gb"]);
    });

    test.each(["lambda", "aws", "azure", "paperspace"] as const)(
      "is 40 GB for a plain A100 and 16 for a plain V100 of %s",
      (name) => {
        const sizes = (AcceleratorName: string) => [
          ...new Set(rowsOf(name, { AcceleratorName }).map(({ offer }) => offer?.gpu.vramGB)),
        ];
        expect(sizes("A100")).toEqual(name === "paperspace" ? [] : [40]);
        expect(sizes("V100")).toEqual([16]);
      },
    );

    test("is 94 GB for the NC H100 v5 series of azure, listed as H100", () => {
      for (const InstanceType of ["Standard_NC40ads_H100_v5", "Standard_NC80adis_H100_v5"]) {
        expect(slugsOf(rowsOf("azure", { InstanceType }))).toEqual(["h100-nvl"]);
      }
    });

    // Each file encodes GpuInfo differently: sums, gigabytes, lower-case keys, bare nulls, only names.
    test.each([
      ["aws", "L4", ["l4"]],
      ["aws", "L40S", ["l40s"]],
      ["aws", "A100-80GB", ["a100-sxm-80gb"]],
      ["aws", "V100-32GB", ["v100-sxm-32gb"]],
      ["cudo", "RTX3080", ["rtx-3080-12gb"]],
      ["do", "H100", ["h100-sxm"]],
      ["fluidstack", "A100-80GB", ["a100-pcie-80gb"]],
      ["hyperbolic", "H100", ["h100-sxm"]],
      ["hyperbolic", "RTX4090", ["rtx-4090"]],
      ["hyperstack", "H100-80G-SXM5", ["h100-sxm"]],
      ["hyperstack", "A100-80G-PCIe-NVLink", ["a100-pcie-80gb"]],
      ["lambda", "H100", ["h100-pcie", "h100-sxm"]],
      ["lambda", "A100", ["a100-pcie-40gb", "a100-sxm-40gb"]],
      ["lambda", "RTX6000", ["quadro-rtx-6000"]],
      ["runpod", "A100-80GB", ["a100-pcie-80gb"]],
      ["runpodOld", "A100-80GB-SXM", ["a100-sxm-80gb"]],
      ["runpodOld", "RTX6000-Ada", ["rtx-6000-ada"]],
      ["shadeform", "RTX6000Ada", ["rtx-6000-ada"]],
      ["shadeform", "RTXPro6000", ["rtx-pro-6000"]],
      ["shadeform", "H200", ["h200"]],
      ["shadeform", "A16", ["a16"]],
      ["vast", "RTX6000-Ada", ["rtx-6000-ada"]],
      ["vast", "RTXPRO6000S", ["rtx-pro-6000-server"]],
      ["vast", "B200", ["b200"]],
      ["verda", "RTX-6000-Ada", ["rtx-6000-ada"]],
      ["verda", "RTX-PRO-6000", ["rtx-pro-6000"]],
      ["verda", "B300", ["b300"]],
    ] as const)("of %s resolve %s to %j", (name, AcceleratorName, slugs) => {
      const rows = rowsOf(name, { AcceleratorName }).filter(({ offer }) => offer !== undefined);
      expect(slugsOf(rows)).toEqual(slugs);
    });

    test("give one slug to one card, under any name", () => {
      expect(slugsOf(rowsOf("lambda", { AcceleratorName: "A6000" }))).toEqual(["rtx-a6000"]);
      expect(slugsOf(rowsOf("cudo", { AcceleratorName: "RTXA6000" }))).toEqual(["rtx-a6000"]);
      expect(slugsOf(rowsOf("hyperstack", { AcceleratorName: "RTX-A6000" }))).toEqual(["rtx-a6000"]);
    });
  });

  describe("and regions", () => {
    test.each([
      ["vast", { Region: "Michigan, US, NA" }, "US", "Michigan"],
      ["vast", { Region: ", US, NA" }, "US", ""],
      ["vast", { Region: "Bács-Kiskun, HU, EU" }, "HU", "Bács-Kiskun"],
      ["shadeform", { Region: "kansascity-usa-1" }, "US", "Kansas City"],
      ["runpodOld", { Region: "IS" }, "IS", ""],
      ["paperspace", { Region: "East Coast (NY2)" }, "US", "New York"],
      ["fluidstack", { Region: "FINLAND" }, "FI", ""],
      ["hyperbolic", { Region: "default" }, "ZZ", ""],
      ["aws", { AvailabilityZone: "apne1-az2" }, "JP", "Tokyo"],
      ["runpod", { AvailabilityZone: "US-KS-2" }, "US", "Kansas"],
    ] as const)("of %s locate %j in %s, %j", (name, wanted, countryCode, cityState) => {
      const placed = rowsOf(name, wanted).flatMap(({ offer }) => offer?.regionInfo ?? []);
      expect(placed.length).toBeGreaterThan(0);
      for (const info of placed) {
        expect(info).toMatchObject({ countryCode, cityState });
      }
    });

    test("distinguish the zones of aws, although type and region repeat", () => {
      const gpuRows = rowsOf("aws").filter(({ row }) => row["AcceleratorName"] !== "");
      const withoutZone = new Set(gpuRows.map(({ row }) => `${row["InstanceType"]} ${row["Region"]}`));
      expect(gpuRows.length - withoutZone.size).toBe(1134);
      expect(gpuRows.filter(({ item }) => item.kind === "rejection" && item.code === "duplicate")).toEqual([]);
      expect(offers("aws").map(({ region }) => region)).toContain("us-east-1/use1-az4");
    });

    test("keep the data center of runpod unchanged", () => {
      expect(offers("runpod").map(({ region }) => region)).toContain("US-KS-2");
    });
  });

  describe("and machines", () => {
    test("don't imply availability if they list every type in every region, or have no region", () => {
      for (const name of names) {
        const provesNothing = ["lambda", "runpod", "runpodOld", "hyperbolic"].includes(name);
        for (const { isAvailable } of offers(name)) {
          expect(isAvailable).toBe(!provesNothing);
        }
      }
    });

    test("have unknown memory if the file states GPU memory instead", () => {
      expect([...new Set(offers("runpodOld").map(({ specs }) => specs.ram))]).toEqual([0]);
      expect([...new Set(offers("runpod").map(({ specs }) => specs.ram))]).toEqual([117, 234]);
      const paperspace = rowsOf("paperspace").map(({ row, offer }) => [row["InstanceType"], offer?.specs.ram]);
      expect(Object.fromEntries(paperspace)).toMatchObject({
        H100: 0,
        H100x8: 0,
        "A100-80Gx8": 0,
        "V100-32G": 0,
        "V100-32Gx4": 0,
        V100: 32,
        A4000x4: 193,
      });
    });

    test("have a disk in hyperbolic", () => {
      expect(offerOf("hyperbolic", { InstanceType: "1x-H100-28-271" })).toMatchObject({
        specs: { vcpu: 28, ram: 271, disk: 300 },
        storageMinGB: 300,
        storageMaxGB: 300,
        storageCostPerGB: 0,
        costDataComplete: true,
      });
      const withDisk = names.filter((name) => offers(name).some(({ costDataComplete }) => costDataComplete));
      // The others' disks are priced by facts/disks.csv.
      expect(withDisk).toEqual(["aws", "gcp", "runpodOld", "hyperbolic", "runpod"]);
    });

    test("of hyperbolic that differ only in count are two offers", () => {
      const one = offerOf("hyperbolic", { InstanceType: "1x-H100-224-2165" });
      const five = offerOf("hyperbolic", { InstanceType: "5x-H100-224-2165" });
      expect([one.gpuCount, five.gpuCount]).toEqual([1, 5]);
      expect(one.id).not.toBe(five.id);
    });

    test("have NVLink if the source or the card implies it", () => {
      expect(offerOf("hyperstack", { InstanceType: "n3-A100x8-NVLink" }).nvlinkEnabled).toBe(true);
      expect(offerOf("hyperstack", { InstanceType: "n3-A100x8" }).nvlinkEnabled).toBe(false);
      expect(rowsOf("fluidstack", { AcceleratorName: "H100" })[0]?.offer?.nvlinkEnabled).toBe(true);
    });
  });
});
