import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers, type LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply, LiveSource } from "./live-source.js";
import { bodyOf, nameSchema, responsesOf, rowsOf } from "./response.js";

// https://docs.hyperbolic.xyz: options for on-demand rental.

const listSchema = z.union([
  z.array(z.unknown()),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
]);

const optionSchema = z.object({
  id: nameSchema.nullish(),
  // US cents for the whole option. What the host receives (providerCostPerHourCents) is not the price.
  costPerHourCents: z.int().min(0),
  gpuCount: z.number().min(0),
  gpuType: nameSchema,
  gpuFormFactor: z.string().max(40).nullish(),
  region: z.string().max(200).nullish(),
  totalAvailable: z.number().nullish(),
  enabled: z.boolean().nullish(),
});
type Option = z.output<typeof optionSchema>;

export const hyperbolic: LiveSource = {
  name: "hyperbolic",
  title: "Hyperbolic",
  homepage: "https://www.hyperbolic.ai",
  type: "vm",
  kind: "marketplace",
  secrets: [],
  optionalSecrets: [],
  hosts: ["api.hyperbolic.ai", "api.hyperbolic.xyz"],
  intervalSeconds: 600,
  maxBytes: 4 * 1024 * 1024,
  spacingMs: 1000,
  stock: "live",
  verified: false,
  currency: "USD",
  mayBeEmpty: true,
  scopes: null,
  terms: "The market's public API, readable without a key.",
  includes: "price, stock, region",
  omits: "vCPUs, memory, disk",
  unit: "US cents per hour, whole option",

  *requests() {
    yield {
      part: "options",
      main: true,
      method: "GET",
      url: "https://api.hyperbolic.ai/v2/alpha/on-demand/rental-options",
    };
  },

  read(replies, context) {
    return uniqueOffers(items(new LiveOffers(hyperbolic, context), replies));
  },
};

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const rows = responsesOf(replies, "options").flatMap((response) => bodyOf(response, listSchema));
  yield offers.providerItem();
  for (const { where, row } of rowsOf(rows, optionSchema, "options")) {
    if (row instanceof Rejection) {
      yield offers.item(where, row);
    } else if (row.gpuCount === 0) {
      yield { kind: "skipped", where };
    } else if (row.enabled === false) {
      yield offers.item(where, new Rejection("not_rentable", `The option of ${row.gpuType} is disabled.`));
    } else {
      yield offers.item(where, rowOf(row));
    }
  }
}

function rowOf(option: Option): LiveRow {
  const form = option.gpuFormFactor ?? "";
  const name = `${option.gpuType} ${form}`.trim();
  return {
    instanceType: `${option.gpuCount}x ${name}`,
    region: option.region == null || option.region === "" ? null : option.region,
    gpu: { name: option.gpuType, otherNames: form === "" ? [] : [name], count: option.gpuCount },
    priceHourly: option.costPerHourCents / 100,
    isAvailable: (option.totalAvailable ?? 0) > 0,
    disk: { kind: "unpriced" },
  };
}
