import { expect, test } from "vitest";
import { examplecloud } from "./example-source.fixture.js";
import { replaySource } from "./replay-source.js";

// The example that docs/sources.md names.

test("the example reads every page, and rejects a row without a price", async () => {
  const machine = {
    id: "h100-8",
    gpu: "H100 SXM",
    gpus: 8,
    cents: 1999,
    region: "Berlin",
    in_stock: true,
    vcpu: 64,
    ram_gb: 512,
  };
  const { requests, offers, listings, rejections } = await replaySource(
    examplecloud,
    {
      types: [
        { types: [machine], next: 2 },
        { types: [{ ...machine, id: "h100-free", cents: 0 }], next: null },
      ],
    },
    { secrets: { EXAMPLE_API_KEY: "secret" } },
  );
  expect(requests.map(({ url }) => url)).toEqual([
    "https://api.example.com/v1/types?page=1",
    "https://api.example.com/v1/types?page=2",
  ]);
  expect(offers.map(({ gpuCount, gpu, priceHourly }) => [gpuCount, gpu.slug, priceHourly])).toEqual([
    [8, "h100-sxm", 19.99],
  ]);
  expect(listings).toMatchObject([{ instanceType: "h100-8", seller: "cloud", spot: null }]);
  expect(rejections.map(({ code }) => code)).toEqual(["no_price"]);
});
