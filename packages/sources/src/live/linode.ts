import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers, type LiveRow } from "./live-offers.js";
import { isFailure, type LiveItem, type LiveReply, type LiveRequest, type LiveSource } from "./live-source.js";
import { bodyOf, checkTotal, listOf, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

// https://techdocs.akamai.com/linode-api/reference: types with prices, regions, and which region has which plan.

const MAX_PAGES = 100;

const pageSchema = z.object({
  data: z.array(z.unknown()),
  page: z.int().optional(),
  pages: z.int().min(1).max(MAX_PAGES).default(1),
  results: z.int().optional(),
});
// A recording of only the main request may be the bare list.
const listSchema = z.union([
  pageSchema,
  z.array(z.unknown()).transform((data) => ({ data, pages: 1, results: undefined })),
]);

const typeSchema = z.object({
  id: nameSchema,
  label: z.string(),
  gpus: z.int().min(0).default(0),
  price: z.object({ hourly: z.number().min(0).nullable() }),
  region_prices: listOf(z.object({ id: z.string(), hourly: z.number().min(0).nullable() })),
  memory: sizeSchema,
  disk: sizeSchema,
  vcpus: sizeSchema,
});
const regionSchema = z.object({
  id: z.string(),
  country: z.string(),
  label: z.string().default(""),
  capabilities: listOf(z.string()),
});
const stockSchema = z.object({ region: z.string(), plan: z.string(), available: z.boolean() });

type Type = z.output<typeof typeSchema>;
type Region = z.output<typeof regionSchema>;

export const linode: LiveSource = {
  name: "linode",
  title: "Akamai Cloud (Linode)",
  homepage: "https://www.linode.com",
  type: "vm",
  kind: "list",
  secrets: [],
  optionalSecrets: [],
  hosts: ["api.linode.com"],
  intervalSeconds: 6 * 3600,
  maxBytes: 8 * 1024 * 1024,
  spacingMs: 500,
  stock: "live",
  verified: true,
  currency: "USD",
  mayBeEmpty: false,
  scopes: null,
  terms: "The provider's public API, documented as readable without a token; 200 requests per minute.",
  includes: "price by region, stock by region, vCPUs, memory, included disk",
  omits: "NVLink",
  unit: "USD per hour, whole instance",

  *requests() {
    yield* pages("linode/types", true);
    yield* pages("regions", false);
    yield* pages("regions/availability", false);
  },

  read(replies, context) {
    const offers = new LiveOffers(linode, context);
    return uniqueOffers(items(offers, replies));
  },
};

function* pages(part: string, main: boolean): Generator<LiveRequest, void, LiveReply> {
  let last = 1;
  for (let page = 1; page <= last; page += 1) {
    const url = `https://api.linode.com/v4/${part}?page=${page}&page_size=500`;
    const reply = yield { part, main, method: "GET", url };
    if (isFailure(reply)) {
      return;
    }
    last = bodyOf(reply, listSchema).pages;
  }
}

function rowsIn<T extends z.ZodType>(replies: readonly LiveReply[], part: string, schema: T) {
  const bodies = responsesOf(replies, part).map((response) => bodyOf(response, listSchema));
  const rows = bodies.flatMap(({ data }) => data);
  checkTotal(replies, part, { total: bodies[0]?.results, rows: rows.length });
  return rowsOf(rows, schema, part);
}

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const types = rowsIn(replies, "linode/types", typeSchema);
  const regions = new Map<string, Region>();
  for (const { row } of rowsIn(replies, "regions", regionSchema)) {
    if (!(row instanceof Rejection)) {
      regions.set(row.id, row);
    }
  }
  const stock = new Map<string, Map<string, boolean>>();
  for (const { row } of rowsIn(replies, "regions/availability", stockSchema)) {
    if (row instanceof Rejection) {
      continue;
    }
    const plans = stock.get(row.plan) ?? new Map<string, boolean>();
    stock.set(row.plan, plans.set(row.region, row.available));
  }
  yield offers.providerItem();
  for (const { where, row } of types) {
    if (row instanceof Rejection) {
      yield offers.item(where, row);
    } else if (row.gpus === 0) {
      yield { kind: "skipped", where };
    } else {
      yield* offersOf(offers, where, row, { regions, stock: stock.get(row.id) ?? new Map<string, boolean>() });
    }
  }
}

interface Places {
  regions: ReadonlyMap<string, Region>;
  /** Whether the type is available, by region. */
  stock: ReadonlyMap<string, boolean>;
}

function* offersOf(offers: LiveOffers, where: string, type: Type, { regions, stock }: Places): Generator<LiveItem> {
  // The stock list names every region for some plans, so a "no" counts only in regions that sell GPUs.
  const sold = [...stock].filter(([id, available]) => available || sellsGpus(regions.get(id)));
  for (const [id, isAvailable] of sold) {
    const region = regions.get(id);
    // A regional price replaces the general one, even if it is unknown.
    const { hourly } = type.region_prices.find((price) => price.id === id) ?? type.price;
    const place = region && { countryCode: region.country, city: region.label.replace(/, [A-Z]{2}$/, "") };
    const row = rowOf(type, hourly);
    yield offers.item(where, row instanceof Rejection ? row : { ...row, region: id, place, isAvailable });
  }
  if (sold.length === 0) {
    const row = rowOf(type, type.price.hourly);
    yield offers.item(where, row instanceof Rejection ? row : { ...row, region: null, isAvailable: false });
  }
}

function sellsGpus(region: Region | undefined): boolean {
  return region === undefined || region.capabilities.includes("GPU Linodes");
}

/** Labels contain the card: "Dedicated 32GB + RTX6000 GPU x1", "RTX4000 Ada x1 Small". */
function rowOf(type: Type, hourly: number | null): Omit<LiveRow, "region" | "isAvailable"> | Rejection {
  if (hourly === null) {
    return new Rejection("no_price", `${type.id} has no price per hour.`);
  }
  const name = /(?:^|\+ )([^+]+?)(?: GPU)? x\d+\b/.exec(type.label)?.[1] ?? type.label;
  return {
    instanceType: type.id,
    gpu: { name, count: type.gpus },
    priceHourly: hourly,
    vcpu: type.vcpus,
    ramGb: type.memory == null ? null : type.memory / 1024,
    disk: { kind: "included", sizeGb: (type.disk ?? 0) / 1024 },
  };
}
