import { diskFor, diskMicros, isAtLeast, present, storageOf, type Offer } from "@gpu-offers/domain";
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

test("no row of facts has a free disk, or one that costs less if it is larger", () => {
  fc.assert(
    fc.property(fc.constantFrom(...diskRows), fc.nat(40_000), fc.nat(2000), (row, diskGb, more) => {
      const type = row.types?.source.includes("a3-ultragpu") === true ? "a4-highgpu-8g" : "any";
      const { storage, terms } = diskOf(row.provider, row.regions?.[0] ?? "unknown", type);
      const offer = { ...terms, storage } as unknown as Offer;
      const smaller = diskMicros(storageOf(offer), diskGb);
      expect(diskMicros(storageOf(offer), diskGb + more)).toBeGreaterThanOrEqual(smaller);
      const isPriced = (row.perGb ?? row.steps) !== undefined;
      expect(smaller > 0).toBe(isPriced && diskGb > 0);
    }),
    { seed: 20_261_126, numRuns: 2000 },
  );
});
