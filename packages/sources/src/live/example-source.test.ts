import { expect, test } from "vitest";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import { bearer, defineSource, pagesOf } from "./define-source.js";
import type { LiveRow } from "./live-offers.js";
import { replaySource } from "./replay-source.js";
import { bodyOf, listUnder, nameSchema, rowsIn, sizeSchema } from "./response.js";

// The example that docs/sources.md names: a source, and its test.

const pageSchema = z.object({ next: z.int().nullable() });
const typeSchema = z.object({
  id: nameSchema,
  gpu: nameSchema,
  gpus: z.int().min(0),
  cents: z.int().min(0), // per hour of the whole instance
  region: nameSchema,
  in_stock: z.boolean(),
  vcpu: sizeSchema,
  ram_gb: sizeSchema,
});

const examplecloud = defineSource({
  name: "examplecloud",
  title: "Example Cloud",
  homepage: "https://example.com",
  secrets: ["EXAMPLE_API_KEY"],
  hosts: ["api.example.com"], // the only hosts it may talk to
  intervalSeconds: 3600,
  stock: "live",
  recordedAt: null, // date of the recorded response that was read
  includes: "price, stock by region",
  omits: "disk",

  auth: bearer, // each request carries the key
  requests: () =>
    pagesOf(
      (page) => ({ part: "types", url: `https://api.example.com/v1/types?page=${page}` }),
      (response) => bodyOf(response, pageSchema).next !== null,
    ),

  items: (offers, replies) => offers.items(rowsIn(replies, "types", listUnder("types"), typeSchema), rowOf),
});

function rowOf(type: z.output<typeof typeSchema>): LiveRow | Rejection {
  if (type.cents === 0) {
    return new Rejection("no_price", `${type.id} has no price.`);
  }
  return {
    instanceType: type.id,
    region: type.region,
    gpu: { name: type.gpu, count: type.gpus },
    priceHourly: type.cents / 100,
    isAvailable: type.in_stock,
    vcpu: type.vcpu,
    ramGb: type.ram_gb,
    disk: { kind: "unpriced" }, // the response has no price of disks
    listing: { instanceType: type.id, seller: "cloud" },
  };
}

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
