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
  isAtLeast,
  listingTotal,
  pricedOffer,
  storageOf,
  type Storage,
} from "../index.js";
import { arbitraryDisk, arbitraryTerms, exampleOffer, exampleStorages } from "../offer.fixture.js";

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

  test("can have any disk, and its price is a lower bound with each", () => {
    const offer = exampleOffer({ priceHourly: 1, ...unknown });
    expect([isDiskUnknown(offer), diskFor(offer, 500), diskFor(offer, 0)]).toEqual([true, 500, 0]);
    expect([checkDisk(offer, 500), checkDisk(offer, undefined)]).toEqual([
      { ok: true, diskGb: 500 },
      { ok: true, diskGb: 0 },
    ]);
    expect([hourlyCost(offer, 500), isAtLeast(offer, 500), isAtLeast(offer)]).toEqual(["1.0000", true, true]);
    expect(checkDisk(offer, -1)).toEqual({ ok: false, reason: "disk_gb must be a whole number from 0, not -1." });
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
    expect([isDiskUnknown(none), diskFor(none, 500), diskFor(none, 0)]).toEqual([false, undefined, 0]);
  });

  test("is not an offer with known disks and another unknown cost", () => {
    const terms = { ...variable, costDataComplete: false };
    expect([isDiskUnknown(terms), diskFor(terms, 500), diskFor(terms, 5_000)]).toEqual([false, 500, undefined]);
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

describe("the disks of a listing", () => {
  const [monthly, steps, added, unpriced, limits] = exampleStorages;
  const hourly = (storage: Storage | undefined, diskGb: number) =>
    hourlyCostMicros({ ...exampleOffer({ priceHourly: 1 }), storage }, diskGb) - 1_000_000;

  test("cost what the month does, rounded up once: 1 TB of gp3 is 80.00", () => {
    expect(hourly(monthly, 1000)).toBe(109_590);
    expect((hourly(monthly, 1000) * 730) / 1e6).toBeCloseTo(80, 2);
    expect(hourly({ ...monthly!, hoursPerMonth: 720 }, 1000)).toBe(111_112);
  });

  test("in steps cost what the next larger size does", () => {
    const costs = [1, 32, 33, 64, 65, 128].map((diskGb) => hourly(steps, diskGb));
    const [p4, p6, p10] = [7233, 13_987, 27_000];
    expect(costs).toEqual([p4, p4, p6, p6, p10, p10]);
  });

  test("beside an included disk cost the added volume, at least its smallest size", () => {
    expect([200, 201, 210, 1200].map((diskGb) => hourly(added, diskGb))).toEqual([0, 1370, 1370, 136_987]);
    expect(isAtLeast({ ...exampleOffer(), storage: unpriced }, 200)).toBe(false);
    expect(isAtLeast({ ...exampleOffer(), storage: unpriced }, 201)).toBe(true);
  });

  test("can be chosen within their limits, even if their price is unknown", () => {
    const check = (storage: Storage | undefined, diskGb?: number) => checkDisk({ ...exampleOffer(), storage }, diskGb);
    expect(check(limits, 500)).toEqual({ ok: true, diskGb: 500 });
    expect(check(limits)).toEqual({ ok: true, diskGb: 5 });
    expect(check(limits, 4)).toEqual({ ok: false, reason: "disk_gb must be a whole number from 5 to 10000, not 4." });
    expect(check(monthly)).toEqual({ ok: false, reason: "disk_gb is required: a whole number from 8 to 16384 GB." });
    expect(check(unpriced)).toEqual({ ok: true, diskGb: 200 });
    expect(check(unpriced, 5000)).toEqual({ ok: true, diskGb: 5000 });
    expect(check(unpriced, 100)).toEqual({ ok: false, reason: "disk_gb must be a whole number from 200, not 100." });
  });

  test("never cost less if they are larger", () => {
    fc.assert(
      fc.property(fc.constantFrom(...exampleStorages), fc.nat(20_000), fc.nat(500), (storage, diskGb, more) => {
        expect(hourly(storage, diskGb + more)).toBeGreaterThanOrEqual(hourly(storage, diskGb));
      }),
      { seed },
    );
  });

  test("derived from the API's fields cost what these say", () => {
    fc.assert(
      fc.property(arbitraryTerms, fc.nat(100_000), (terms, diskGb) => {
        const offer = exampleOffer({ ...terms, costDataComplete: true });
        expect(hourlyCostMicros({ ...offer, storage: storageOf(offer) }, diskGb)).toBe(hourlyCostMicros(offer, diskGb));
      }),
      { seed },
    );
  });

  test("of a listing are those of its offer at every price", () => {
    const listing = {
      offer: exampleOffer(),
      spot: { priceHourly: 1, kind: "bid" },
      storage: steps,
      isCostComplete: true,
    };
    expect([false, true].map((isSpot) => pricedOffer(listing, isSpot).storage)).toEqual([steps, steps]);
    expect([false, true].map((isSpot) => isAtLeast(pricedOffer(listing, isSpot), 64))).toEqual([false, true]);
    expect(listingTotal(pricedOffer(listing, false), { disk: 64 })).toEqual({ hourly: 1.913_987, isAtLeast: false });
  });
});
