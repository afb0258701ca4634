import { describe, expect, test } from "vitest";
import { gpuListSchema } from "./gpu-entry-schema.js";
import { listGpus } from "./gpu-entry.js";
import { nearestGpus, selectGpus } from "./gpu-selection.js";
import { gpuModels } from "../gpu/gpu-models.js";
import { UNKNOWN_LISTING_FACTS } from "../offer/listing.js";
import { marketParts, type MarketListing } from "./market.js";
import { exampleOffer } from "../offer.fixture.js";

const listing = (slug: string): MarketListing => ({
  ...UNKNOWN_LISTING_FACTS,
  offer: exampleOffer({ gpu: { name: slug.toUpperCase(), slug, vramGB: 80, architecture: "Hopper" } }),
  isStale: false,
  pricesAsOf: "2026-11-01",
  stock: "listed",
});

const parts = marketParts([listing("h100-sxm"), listing("x1-card")]);
const age = () => ({ pricesAsOf: "2026-11-01", stock: "listed" });

describe("all GPUs", () => {
  const gpus = listGpus(parts, age);

  test("are the known ones and the listed ones, and obey the schema", () => {
    expect(gpus.map(({ slug }) => slug)).toEqual([...gpuModels.map(({ slug }) => slug), "x1-card"]);
    expect(gpuListSchema.parse({ gpus })).toEqual({ gpus });
  });

  test("have facts with sources, and a market", () => {
    expect(gpus.find(({ slug }) => slug === "h100-sxm")).toMatchObject({
      vendor: "NVIDIA",
      family: "h100",
      form: "SXM",
      bf16Tflops: 989.4,
      sources: { bf16Tflops: { maker: { checked: false } } },
      market: { offers: 1, rentable: 1, pricesAsOf: "2026-11-01" },
    });
    expect(gpus.find(({ slug }) => slug === "h100-pcie")?.market).toMatchObject({ offers: 0, pricePerGpu: null });
  });

  test("that no table knows have no facts", () => {
    expect(gpus.at(-1)).toMatchObject({
      slug: "x1-card",
      vendor: null,
      bf16Tflops: null,
      sources: {},
      market: { offers: 1 },
    });
  });
});

describe("a GPU's name", () => {
  const listed = parts.map(({ gpu }) => gpu);

  test.each([
    ["h100", ["h100", "h100-nvl", "h100-pcie", "h100-sxm"]],
    ["=h100", ["h100"]],
    ["h100-sxm", ["h100-sxm"]],
    ["4090", ["rtx-4090", "rtx-4090-48gb", "rtx-4090-d"]],
    ["x1-card", ["x1-card"]],
  ])("%s means %j", (name, slugs) => {
    expect(selectGpus(name, listed)).toEqual({ kind: "known", slugs });
  });

  test.each([
    ["h1000", "h100"],
    ["rtx4909", "rtx-4090"],
    ["=nonesuch", undefined],
  ])("%s is unknown; near is %s", (name, near) => {
    const selection = selectGpus(name, listed);
    expect(selection.kind).toBe("unknown");
    expect(selection.kind === "unknown" ? selection.nearest[0] : "").toBe(near);
  });

  test("of a family without a slug of its own is near all of its forms", () => {
    expect(nearestGpus("a100", listed)).toContain("a100-sxm-80gb");
    expect(nearestGpus("h100-sxn", listed)).toContain("h100-sxm");
  });
});
