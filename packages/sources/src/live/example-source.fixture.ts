import * as z from "zod";
import { Rejection } from "../rejection.js";
import { defineSource } from "./define-source.js";
import type { LiveOffers, LiveRow } from "./live-offers.js";
import { isFailure, type LiveItem, type LiveReply } from "./live-source.js";
import { bodyOf, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

const pageSchema = z.object({ types: z.array(z.unknown()), next: z.int().nullable() });
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

export const examplecloud = defineSource({
  name: "examplecloud",
  title: "Example Cloud",
  homepage: "https://example.com",
  secrets: ["EXAMPLE_API_KEY"],
  hosts: ["api.example.com"], // the only hosts it may talk to
  intervalSeconds: 3600,
  stock: "live",
  recordedAt: null, // date of the recorded response that was read
  terms: "API for customers.",
  includes: "price, stock by region",
  omits: "disk",

  *requests({ secrets }) {
    const headers = { authorization: `Bearer ${secrets["EXAMPLE_API_KEY"] ?? ""}` };
    for (let page = 1; page !== 0;) {
      const url = `https://api.example.com/v1/types?page=${page}`;
      const reply = yield { part: "types", main: true, method: "GET", url, headers };
      page = isFailure(reply) ? 0 : (bodyOf(reply, pageSchema).next ?? 0);
    }
  },

  items,
});

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const rows = responsesOf(replies, "types").flatMap((response) => bodyOf(response, pageSchema).types);
  yield offers.providerItem();
  yield* offers.items(rowsOf(rows, typeSchema, "types"), rowOf);
}

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
