import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers, type LiveRow } from "./live-offers.js";
import { isFailure, type LiveItem, type LiveReply, type LiveSource } from "./live-source.js";
import { bodyOf, nameSchema, responsesOf, rowsOf } from "./response.js";
import { tierRejection } from "./terms.js";

// https://gpu.ai: a reseller's price list, paged by cursor. Pages may shift meanwhile, so an offering may appear twice.

const pageSchema = z.union([
  z.object({ data: z.array(z.unknown()), next_cursor: z.string().max(2000).nullish() }),
  z.array(z.unknown()).transform((data) => ({ data, next_cursor: null })),
]);

const offeringSchema = z.object({
  offering_id: z.union([nameSchema, z.number()]),
  gpu_type: nameSchema,
  gpu_count: z.number().min(0),
  // USD per hour of the whole configuration; the currency is not stated.
  price_per_hour: z.number().min(0),
  currency: z.string().nullish(),
  tier: z.string().nullish(),
  region: z.string().max(200).nullish(),
  available: z.boolean().nullish(),
});
type Offering = z.output<typeof offeringSchema>;

export const gpuai: LiveSource = {
  name: "gpuai",
  title: "GPU.ai",
  homepage: "https://gpu.ai",
  type: "vm",
  kind: "marketplace",
  secrets: [],
  optionalSecrets: [],
  hosts: ["api.gpu.ai"],
  intervalSeconds: 1800,
  maxBytes: 8 * 1024 * 1024,
  spacingMs: 500,
  stock: "live",
  verified: false,
  currency: "USD",
  mayBeEmpty: false,
  scopes: null,
  terms: "The reseller's public API, readable without a key.",
  includes: "price, stock, region",
  omits: "the currency, vCPUs, memory, disk",
  unit: "USD per hour, whole configuration",

  *requests() {
    let cursor: string | null = "";
    while (cursor !== null) {
      const query = new URLSearchParams({ limit: "200", ...(cursor === "" ? {} : { cursor }) });
      const url = `https://api.gpu.ai/v1/pricing?${query.toString()}`;
      const reply: LiveReply = yield { part: "pricing", main: true, method: "GET", url };
      const next: string = isFailure(reply) ? "" : (bodyOf(reply, pageSchema).next_cursor ?? "");
      cursor = next === "" ? null : next;
    }
  },

  read(replies, context) {
    return uniqueOffers(items(new LiveOffers(gpuai, context), replies));
  },
};

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const rows = responsesOf(replies, "pricing").flatMap((response) => bodyOf(response, pageSchema).data);
  yield offers.providerItem();
  const seen = new Set<string>();
  for (const { where, row } of rowsOf(rows, offeringSchema, "data")) {
    if (row instanceof Rejection) {
      yield offers.item(where, row);
    } else if (row.gpu_count === 0 || seen.has(String(row.offering_id))) {
      yield { kind: "skipped", where };
    } else {
      seen.add(String(row.offering_id));
      yield offers.item(where, rowOf(row));
    }
  }
}

function rowOf(offering: Offering): LiveRow | Rejection {
  const rejection = tierRejection(offering.tier, offering.gpu_type);
  if (rejection !== undefined) {
    return rejection;
  }
  if (offering.currency != null && offering.currency.toUpperCase() !== "USD") {
    return new Rejection("unknown_currency", `The price is in ${offering.currency.slice(0, 8)}.`);
  }
  return {
    instanceType: String(offering.offering_id),
    region: offering.region == null || offering.region === "" ? null : offering.region,
    gpu: { name: offering.gpu_type, count: offering.gpu_count },
    priceHourly: offering.price_per_hour,
    isAvailable: offering.available === true,
    disk: { kind: "unpriced" },
  };
}
