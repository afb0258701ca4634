import { diskFor, diskMicros, isAtLeast, present, storageOf, UNKNOWN_STORAGE, type Offer } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diskRows } from "./disks.facts.js";
import { machineDisk, type StatedDisk } from "./machine-disk.js";
import { Rejection } from "./rejection.js";

const unpriced: StatedDisk = { kind: "unpriced" };

function diskOf(provider: string, region: string, instanceType = "any", disk = unpriced) {
  const currency = ["scaleway", "ovh"].includes(provider) ? "EUR" : "USD";
  const found = machineDisk({ provider, region, instanceType, disk }, { currency, rate: currency === "EUR" ? 1.2 : 1 });
  if (found instanceof Rejection) {
    throw found;
  }
  return found;
}

/** USD a month of a disk, to the cent. */
function monthly({ storage }: { storage: ReturnType<typeof diskOf>["storage"] }, diskGb: number): number {
  const { hoursPerMonth } = present(storage);
  return Math.round((diskMicros(present(storage), diskGb) * hoursPerMonth) / 1e4) / 100;
}

describe("the disk of a machine", () => {
  test.each([
    ["aws", "us-east-1", "p5.48xlarge", 1000, 80],
    ["Amazon Web Services", "us-east-1/use1-az4", "p5.48xlarge", 1000, 80],
    ["aws", "eu-central-2", "g6.xlarge", 1000, 114.2],
    ["azure", "eastus", "Standard_ND96isr_H100_v5", 1000, 135.17],
    ["azure", "eastus", "Standard_ND96isr_H100_v5", 1025, 259.05],
    ["gcp", "us-central1-a", "a3-highgpu-8g", 1000, 100],
    ["oci", "unknown", "BM.GPU.H100.8", 1000, 42.5],
    ["verda", "FIN-01", "8H100.80S.176V", 1000, 200],
    ["runpod", "US/US-KS-2", "8x_H100_SECURE", 1000, 100],
    ["nebius", "eu-north1", "gpu-h100-sxm", 1000, 71],
    ["scaleway", "fr-par-2", "H100-1-80G", 1000, 103.37],
    ["digitalocean", "nyc2", "gpu-h100x8-640gb", 1000, 0],
  ])("of %s in %s, %s, with %d GB costs $%d a month", (provider, region, instanceType, diskGb, usd) => {
    expect(monthly(diskOf(provider, region, instanceType), diskGb)).toBe(usd);
  });

  test("fills the API's fields only if its price is linear", () => {
    expect(diskOf("aws", "us-east-1").terms).toEqual({
      storageCostPerGB: 0.000_11,
      storageMinGB: 8,
      storageMaxGB: 65_536,
    });
    const none = { storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0 };
    expect(diskOf("azure", "eastus")).toMatchObject({ terms: none, areTermsComplete: false, isPriced: true });
    expect(diskOf("aws", "us-west-2-lax-1")).toMatchObject({ terms: none, areTermsComplete: false, isPriced: false });
    expect(diskOf("gcp", "us-central1", "a4-highgpu-8g")).toMatchObject({ isPriced: false, storage: { minGb: 4 } });
  });

  test("that is scratch is no boot disk, and a boot disk is one to which volumes can be added", () => {
    const stated = { kind: "stated", sizeGb: 900 } as const;
    expect(diskOf("aws", "us-east-1", "g4dn.12xlarge", stated)).toMatchObject({
      terms: { storageMinGB: 8 },
      storage: { includedGb: 0 },
      localGb: 900,
    });
    const lambda = diskOf("lambda", "us-west-1", "gpu_8x_h100_sxm5", stated);
    expect(lambda).toMatchObject({ terms: { storageMinGB: 900, storageMaxGB: 900 }, storage: { includedGb: 900 } });
    expect([900, 1900].map((diskGb) => monthly(lambda, diskGb))).toEqual([0, 200]);
    const unknown = diskOf("vultr", "ewr", "vcg-a100", stated);
    const offer = { ...unknown.terms, storage: unknown.storage, isCostComplete: unknown.isPriced } as unknown as Offer;
    expect([diskFor(offer, 2000), isAtLeast(offer, 900), isAtLeast(offer, 2000)]).toEqual([2000, false, true]);
    expect(diskOf("acme", "berlin", "any", stated).storage).toBe(undefined);
  });

  test("that a file states as the only one can be larger by a volume, and the API's fields stay", () => {
    const fixed = { kind: "terms", costPerGb: 0, minGb: 512, maxGb: 512, listedGb: 1000 } as const;
    const linode = diskOf("akamai", "us-ord", "g2-gpu-rtx4000a1-s", fixed);
    expect(linode).toMatchObject({
      terms: { storageCostPerGB: 0, storageMinGB: 512, storageMaxGB: 512 },
      areTermsComplete: true,
      storage: { includedGb: 512, minGb: 512, maxGb: null, product: "Block Storage" },
      localGb: 1000,
    });
    expect([512, 513, 1012].map((diskGb) => monthly(linode, diskGb))).toEqual([0, 1.1, 54.75]);
    expect(diskOf("coreweave", "US-EAST-04A", "gd-8xl40-i128", fixed).storage).toBe(undefined);
  });

  test("whose price was read in the same run has that price, and the limits of the table", () => {
    const read = { kind: "unpriced", volume: { pricePerGbMonth: 0.07, asOf: "2026-11-20" } } as const;
    expect(diskOf("aws", "us-east-1", "p5.48xlarge", read).storage).toMatchObject({
      pricePerGbMonth: 0.07,
      asOf: "2026-11-20",
      minGb: 8,
      maxGb: 65_536,
      product: "EBS gp3",
    });
  });

  test("in another currency is priced only with a rate", () => {
    const machine = { provider: "scaleway", region: "fr-par-2", instanceType: "L4-1-24G", disk: unpriced };
    expect(machineDisk(machine)).toMatchObject({ isPriced: false, storage: { minGb: 5, pricePerGbMonth: null } });
  });
});

const KINDS: readonly StatedDisk[] = [
  unpriced,
  { kind: "included", sizeGb: 350 },
  { kind: "terms", costPerGb: 0, minGb: 350, maxGb: 350 },
];

const rowsWithDisks = diskRows.flatMap((row) => {
  const type = row.types?.source.includes("a3-ultragpu") === true ? "a4-highgpu-8g" : "any";
  return KINDS.map((disk) =>
    Object.assign({ row, disk }, diskOf(row.provider, row.regions?.[0] ?? "unknown", type, disk)),
  );
});

test("no row of facts has a free disk, or one that costs less if it is larger", () => {
  for (const { row, disk, terms, storage } of rowsWithDisks) {
    const offer = { ...terms, storage } as unknown as Offer;
    const includedGb = disk.kind === "unpriced" ? 0 : 350;
    const isPriced = (row.perGb ?? row.steps) !== undefined;
    const sizes = fc.tuple(fc.nat(40_000), fc.nat(2000));
    fc.assert(
      fc.property(sizes, ([diskGb, more]) => {
        const micros = diskMicros(storageOf(offer), diskGb);
        expect(diskMicros(storageOf(offer), diskGb + more)).toBeGreaterThanOrEqual(micros);
        expect(micros > 0).toBe(isPriced && diskGb > includedGb);
      }),
      { numRuns: 40 },
    );
  }
});

test("every step costs its price of a month, and a GB more that of the next", () => {
  for (const { steps } of diskRows) {
    const prices = steps?.map(([gb = 0, pricePerMonth = 0]) => ({ gb, pricePerMonth })) ?? [];
    const storage = { ...UNKNOWN_STORAGE, steps: prices };
    for (const [at, { gb, pricePerMonth }] of prices.entries()) {
      expect(diskMicros(storage, gb)).toBe(Math.ceil((pricePerMonth / 730) * 1e6 - 1e-6));
      expect(diskMicros(storage, gb + 1)).toBe(diskMicros(storage, prices[at + 1]?.gb ?? gb));
    }
  }
});
