import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cheapestListings,
  checkDisk,
  diskFor,
  formatMicrosUp,
  fromMicros,
  hourlyCost,
  hourlyCostMicros,
  isDiskFixed,
  isDiskUnknown,
  pricedDisk,
} from "../index.js";
import { arbitraryDisk, arbitraryTerms, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;

const fixed = { storageCostPerGB: 0, storageMinGB: 200, storageMaxGB: 200 };
const variable = { storageCostPerGB: 0.000_14, storageMinGB: 50, storageMaxGB: 2000 };

describe("a disk", () => {
  test("is fixed only if the bounds are equal and a GB costs nothing", () => {
    expect(isDiskFixed(fixed)).toBe(true);
    expect(isDiskFixed({ ...fixed, storageCostPerGB: 0.000_001 })).toBe(false);
    expect(isDiskFixed({ ...fixed, storageMaxGB: 201 })).toBe(false);
    expect(isDiskFixed({ storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0 })).toBe(true);
  });

  test("that is fixed may be omitted, or given with its size", () => {
    expect(checkDisk(fixed, undefined)).toEqual({ ok: true, diskGb: 200 });
    expect(checkDisk(fixed, 200)).toEqual({ ok: true, diskGb: 200 });
    const rejection = {
      ok: false,
      reason: "disk_gb must be omitted or 200, because the disk of this offer is fixed and included.",
    };
    for (const diskGb of [0, 199, 201, 200.5, Number.NaN]) {
      expect(checkDisk(fixed, diskGb)).toEqual(rejection);
    }
  });

  test("that is not fixed must be given, as a whole number within its bounds", () => {
    expect(checkDisk(variable, 50)).toEqual({ ok: true, diskGb: 50 });
    expect(checkDisk(variable, 2000)).toEqual({ ok: true, diskGb: 2000 });
    expect(checkDisk(variable, undefined)).toEqual({
      ok: false,
      reason: "disk_gb is required: a whole number from 50 to 2000 GB.",
    });
    for (const diskGb of [49, 2001, 50.5, -50, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(checkDisk(variable, diskGb)).toEqual({
        ok: false,
        reason: `disk_gb must be a whole number from 50 to 2000, not ${diskGb}.`,
      });
    }
  });

  test("that costs extra must be given even if only one size is allowed", () => {
    expect(checkDisk({ ...fixed, storageCostPerGB: 0.001 }, undefined).ok).toBe(false);
  });

  test("is accepted if and only if the storage rule accepts it", () => {
    fc.assert(
      fc.property(arbitraryTerms, arbitraryDisk, (terms, diskGb) => {
        const isWithin = Number.isInteger(diskGb) && diskGb! >= terms.storageMinGB && diskGb! <= terms.storageMaxGB;
        const isAccepted = diskGb === undefined ? isDiskFixed(terms) : isWithin;
        const check = checkDisk(terms, diskGb);
        expect(check.ok).toBe(isAccepted);
        expect(check.ok ? check.diskGb : 0).toBe(check.ok ? (diskGb ?? terms.storageMinGB) : 0);
      }),
      { seed, numRuns: 1000 },
    );
  });
});

describe("the disk for a need", () => {
  test("is the smallest that the offer accepts and that is large enough", () => {
    fc.assert(
      fc.property(
        arbitraryTerms,
        fc.oneof(fc.integer({ min: -5, max: 40 }), fc.constantFrom(9.5, 10.2)),
        (terms, needed) => {
          const sizes = Array.from({ length: 50 }, (_, size) => size);
          expect(diskFor(terms, needed)).toBe(sizes.find((size) => size >= needed && checkDisk(terms, size).ok));
        },
      ),
      { seed, numRuns: 1000 },
    );
  });

  test("does not exist for a size that is not a number", () => {
    expect(diskFor(variable, Number.NaN)).toBe(undefined);
    expect(diskFor(variable, Number.POSITIVE_INFINITY)).toBe(undefined);
  });

  test("does not exist for an offer with contradictory bounds", () => {
    expect(diskFor({ storageCostPerGB: 0, storageMinGB: 100, storageMaxGB: 10 }, 5)).toBe(undefined);
  });
});

describe("an offer whose source has no information about disks", () => {
  const unknown = { storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0, costDataComplete: false };

  test("is priced without a disk, whatever disk is required", () => {
    expect([isDiskUnknown(unknown), pricedDisk(unknown, 500)]).toEqual([true, 0]);
  });

  test("is the cheapest only if no other has known disks, with its cost as a lower bound", () => {
    const known = exampleOffer({ id: "known", priceHourly: 1.9, ...variable });
    const offer = exampleOffer({ id: "unknown", priceHourly: 1, ...unknown });
    const totals = cheapestListings([offer, known], { disk: 500 }).map((one) => [one.offer.id, one.total]);
    expect(totals).toEqual([
      ["known", { hourly: 1.97, isAtLeast: false }],
      ["unknown", { hourly: 1, isAtLeast: true }],
    ]);
  });

  test("is not an offer known to have no disk", () => {
    const none = { ...unknown, costDataComplete: true };
    expect([isDiskUnknown(none), pricedDisk(none, 500), pricedDisk(none, 0)]).toEqual([false, undefined, 0]);
  });

  test("is not an offer with known disks and another unknown cost", () => {
    const terms = { ...variable, costDataComplete: false };
    expect([isDiskUnknown(terms), pricedDisk(terms, 500), pricedDisk(terms, 5_000)]).toEqual([false, 500, undefined]);
  });
});

describe("the hourly cost", () => {
  test.each([Number.NaN, -1, 1e-9, 0.5, Number.POSITIVE_INFINITY])("does not exist for a disk of %d GB", (diskGb) => {
    for (const terms of [fixed, variable]) {
      const error = new RangeError(`A disk must be a whole number of GB from 0, not ${diskGb}.`);
      expect(() => hourlyCostMicros(exampleOffer(terms), diskGb)).toThrow(error);
      expect(() => hourlyCost(exampleOffer(terms), diskGb)).toThrow(error);
    }
  });

  test("is only the price with a fixed disk, otherwise plus every requested GB", () => {
    expect(hourlyCost(exampleOffer({ priceHourly: 1.9, ...fixed }), 200)).toBe("1.9000");
    expect(hourlyCost(exampleOffer({ priceHourly: 1.9, ...variable }), 500)).toBe("1.9700");
    expect(
      hourlyCost(exampleOffer({ priceHourly: 1.9, ...variable, specs: { vcpu: 1, ram: 1, disk: 500 } }), 500),
    ).toBe("1.9700");
    expect(hourlyCost(exampleOffer({ priceHourly: 0.000_001, ...variable, storageCostPerGB: 0 }), 500)).toBe("0.0001");
  });

  test("is exact: price and GBs add up like whole numbers", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), arbitraryTerms, fc.nat(100_000), (priceMicros, terms, diskGb) => {
        const offer = { priceHourly: fromMicros(priceMicros), ...terms };
        const perGb = isDiskFixed(terms) ? 0n : BigInt(Math.round(terms.storageCostPerGB * 1e6));
        const exact = BigInt(priceMicros) + BigInt(diskGb) * perGb;
        expect(BigInt(hourlyCostMicros(offer, diskGb))).toBe(exact);
        expect(hourlyCost(offer, diskGb)).toBe(formatMicrosUp(Number(exact)));
      }),
      { seed },
    );
  });

  test("is never too low, also for prices with more than 6 decimals", () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), fc.nat(2_000_000), fc.nat(5000), (priceNanos, perGbNanos, diskGb) => {
        const terms = { storageCostPerGB: perGbNanos / 1e9, storageMinGB: 0, storageMaxGB: 5000 };
        const cost = hourlyCostMicros({ priceHourly: priceNanos / 1e9, ...terms }, diskGb);
        expect(BigInt(cost) * 1000n).toBeGreaterThanOrEqual(BigInt(priceNanos) + BigInt(perGbNanos) * BigInt(diskGb));
      }),
      { seed },
    );
  });
});
