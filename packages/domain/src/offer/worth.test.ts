import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gpuModels } from "../gpu/gpu-models.js";
import { exampleOffer } from "../offer.fixture.js";
import { ALL_SORT_KEYS, pickerComparator } from "../listing-query/listing-order.js";
import { pricePerGpu } from "./offer.js";
import { WORTH_KEYS, worth, worthReader } from "./worth.js";

const seed = 20_261_123;

describe("worth", () => {
  test("is the price of one GPU by what it has", () => {
    const gpu = { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" };
    const offer = exampleOffer({ gpu, gpuCount: 8, priceHourly: 16, pricePerGpu: 2, storageCostPerGB: 1 });
    expect(worth(offer, "vramPrice")).toBe(0.025);
    expect(worth(offer, "bandwidthPrice")).toBeCloseTo(2 / 3.35, 12);
    expect(worth(offer, "bf16Price")).toBeCloseTo(2 / 0.9894, 12);
    expect(worth(offer, "fp8Price")).toBeCloseTo(2 / 1.9789, 12);
  });

  test("is unknown for a GPU without the figure, whether the form is open or it has no such unit", () => {
    const open = exampleOffer({ gpu: { name: "H100", slug: "h100", vramGB: 80, architecture: "Hopper" } });
    expect(worth(open, "vramPrice")).toBeGreaterThan(0);
    expect([worth(open, "bandwidthPrice"), worth(open, "bf16Price"), worth(open, "fp8Price")]).toEqual([
      null,
      null,
      null,
    ]);
    const ampere = exampleOffer({ gpu: { name: "A100", slug: "a100-sxm-80gb", vramGB: 80, architecture: "Ampere" } });
    expect([worth(ampere, "bf16Price"), worth(ampere, "fp8Price")]).toEqual([expect.any(Number), null]);
    const unknown = exampleOffer({ gpu: { name: "X1", slug: "x1", vramGB: 80, architecture: "X" } });
    expect(worth(unknown, "bandwidthPrice")).toBeNull();
  });
});

const arbitraryOffer = fc
  .record({
    id: fc.uuid(),
    model: fc.constantFrom(...gpuModels),
    gpuCount: fc.constantFrom(1, 2, 8),
    priceHourly: fc.constantFrom(1, 2, 3.5, 8),
  })
  .map(({ id, model, gpuCount, priceHourly }) =>
    exampleOffer({
      id,
      gpu: { name: model.name, slug: model.slug, vramGB: model.vramGb, architecture: model.architecture },
      gpuCount,
      priceHourly,
      pricePerGpu: pricePerGpu(priceHourly, gpuCount),
    }),
  );

test("lists by worth are sorted by it in both directions, and GPUs without the figure are last", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(arbitraryOffer, { selector: ({ id }) => id, maxLength: 30 }),
      fc.constantFrom(...WORTH_KEYS),
      fc.constantFrom("asc" as const, "desc" as const),
      (offers, key, order) => {
        const sorted = offers.toSorted(pickerComparator({ sort: key, order }));
        const values = sorted.map((offer) => worth(offer, key));
        const known = values.filter((value) => value !== null);
        expect(values.slice(0, known.length)).toEqual(known);
        const upwards = known.toSorted((a, b) => a - b);
        expect(known).toEqual(order === "asc" ? upwards : upwards.toReversed());
        expect(offers.map(worthReader(key))).toEqual(offers.map((offer) => worth(offer, key)));
      },
    ),
    { seed, numRuns: 300 },
  );
});

test("all sort keys are those for people, stock and those of worth", () => {
  expect(ALL_SORT_KEYS).toEqual([
    "pricePerGpu",
    "priceHourly",
    "total",
    "gpuCount",
    "totalVram",
    "stock",
    "vramPrice",
    "bandwidthPrice",
    "bf16Price",
    "fp8Price",
  ]);
});
