import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hourlyCostMicros, recheck, type ChosenOffer } from "../index.js";
import { arbitraryOffer, exampleImage, exampleOffer } from "../offer.fixture.js";

const offer = exampleOffer();
const fixed = exampleOffer({ storageMinGB: 200, storageMaxGB: 200, storageCostPerGB: 0 });
const images = [exampleImage(), exampleImage({ id: "cuda-12", isDefault: false })];
const chosen: ChosenOffer = { offer, osImageId: "cuda-12", diskGb: 500 };

describe("a chosen offer", () => {
  test("that has not changed, or only in irrelevant ways, is ok", () => {
    const now = exampleOffer({ specs: { vcpu: 30, ram: 180, disk: 0 }, region: "NORWAY-2" });
    expect(recheck(chosen, { offer: now, images })).toEqual({ kind: "ok", offer: now });
  });

  test("that is no longer listed is gone", () => {
    expect(recheck(chosen, { offer: undefined, images })).toEqual({ kind: "gone" });
  });

  test("that is listed but cannot be rented is unavailable, whatever else has changed", () => {
    const now = exampleOffer({ isAvailable: false, priceHourly: 5 });
    expect(recheck(chosen, { offer: now, images: [] })).toEqual({ kind: "unavailable", offer: now });
  });

  test.each([
    ["its price", offer, exampleOffer({ priceHourly: 1.9001 })],
    ["a lower price", offer, exampleOffer({ priceHourly: 1.8 })],
    ["the price of its disk", offer, exampleOffer({ storageCostPerGB: 0.0002 })],
    ["a part of its cost that is no longer known", offer, exampleOffer({ costDataComplete: false })],
    ["a disk that is included now", offer, { ...fixed, priceHourly: offer.priceHourly + 0.07 }],
    ["a smaller disk that is included", fixed, { ...fixed, storageMinGB: 100, storageMaxGB: 100 }],
  ])("is repriced by %s", (_, before, now) => {
    expect(recheck({ ...chosen, offer: before }, { offer: now, images })).toEqual({
      kind: "repriced",
      before,
      offer: now,
    });
  });

  test("is priced with the chosen disk, whatever the price of another one", () => {
    const dearer = exampleOffer({ priceHourly: 1.9 + 0.00014 * 500 - 0.0002 * 500, storageCostPerGB: 0.0002 });
    expect(recheck(chosen, { offer: dearer, images }).kind).toBe("ok");
    expect(recheck({ ...chosen, diskGb: 501 }, { offer: dearer, images }).kind).toBe("repriced");
  });

  test("without its image needs another one; the default image needs none", () => {
    expect(recheck(chosen, { offer, images: [exampleImage()] })).toEqual({
      kind: "imageGone",
      offer,
      osImageId: "cuda-12",
    });
    expect(recheck({ offer, diskGb: 500 }, { offer, images: [] }).kind).toBe("ok");
  });

  test("is ok exactly when it is available, has its image, and costs the same", () => {
    fc.assert(
      fc.property(arbitraryOffer, arbitraryOffer, (before, now) => {
        const { kind } = recheck({ offer: before }, { offer: now, images });
        const disk = before.storageMinGB;
        const isSame =
          (before.storageMaxGB === disk && before.storageCostPerGB === 0) ===
            (now.storageMaxGB === now.storageMinGB && now.storageCostPerGB === 0) &&
          hourlyCostMicros(before, disk) === hourlyCostMicros(now, disk) &&
          (before.storageMaxGB !== disk || now.storageMinGB === disk);
        expect(kind).toBe(now.isAvailable ? (isSame ? "ok" : "repriced") : "unavailable");
        expect(recheck({ offer: before }, { offer: { ...before, isAvailable: true }, images }).kind).toBe("ok");
      }),
      { seed: 20_261_122, numRuns: 500 },
    );
  });
});
