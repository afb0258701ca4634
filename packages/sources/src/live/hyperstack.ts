import * as z from "zod";
import { Rejection } from "../rejection.js";
import type { SourceImage } from "../source-item.js";
import { builtInSource } from "./built-in-source.js";
import { liveImages } from "./live-images.js";
import type { LiveRow } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { optionalPart } from "./part.js";
import { listIn, listOf, listUnder, matchingRows, nameSchema, rowsIn, rowsOf, sizeSchema } from "./response.js";
import { spotTerms } from "./terms.js";

// https://docs.hyperstack.cloud/docs/api-reference: flavors by GPU and region; GPU prices are in a separate price book.

const API = "https://infrahub-api.nexgencloud.com/v1";

const groupSchema = z.object({
  flavors: z.array(z.unknown()),
  gpu: z.string().nullish(),
  region_name: z.string().nullish(),
});
const flavorSchema = z.object({
  name: nameSchema,
  gpu: z.string().nullish(),
  gpu_count: z.number().min(0).nullish(),
  region_name: z.string().nullish(),
  cpu: sizeSchema,
  // GB.
  ram: sizeSchema,
  disk: sizeSchema,
  ephemeral: sizeSchema,
  stock_available: z.boolean().nullish(),
});
// Images by region and kind. Some are for some flavors only.
const imageGroupSchema = z.object({
  images: z.array(z.object({ name: nameSchema, flavor_restrictions: z.unknown() })),
});
// The documentation doesn't say how restrictions look: an image with any others than names of flavors is left out.
const restrictionsSchema = z.array(z.string()).nullish();
// Of the GPUs of a model in a region: how many are free, as "0" to "9", "10+", "25+", "100+" or "200+", and how many machines
// of each size, such as "8x". What isn't stated, such as a whole model, is unknown, not none.
const freeSchema = z
  .union([z.string().max(20), z.number()])
  .transform(String)
  .nullish();
const stockSchema = z.object({
  region: nameSchema,
  models: listOf(
    z.object({
      model: nameSchema,
      available: freeSchema,
      planned_7_days: freeSchema,
      configurations: z.record(z.string(), freeSchema).nullish(),
    }),
  ),
});
type Stock = z.output<typeof stockSchema>["models"][number];
type Price = z.output<typeof priceSchema>;
type Flavor = z.output<typeof flavorSchema>;

// USD per unit and hour, after discounts; as a number, or as text that may have an exponent: "1.9", "0E-9".
const valueSchema = z.union([
  z.number().min(0),
  z
    .string()
    .regex(/^\d{1,12}(?:\.\d{1,20})?(?:E[+-]?\d{1,2})?$/i, "must be a decimal number from 0")
    .transform(Number),
]);
const priceSchema = z.object({ name: z.string(), value: valueSchema, end_time: z.string().nullish() });

export const hyperstack = builtInSource("hyperstack", {
  auth: (key) => ({ api_key: key }),
  requests: [
    { part: "flavors", url: `${API}/core/flavors` },
    { part: "pricebook", main: false, url: `${API}/pricebook` },
    { part: "stocks", optional: true, url: `${API}/core/stocks` },
  ],
  images: { part: "images", url: `${API}/core/images`, read: imagesIn },

  *items(offers, replies) {
    const stocks = optionalPart(replies, "stocks", "Counts of free machines", () => stocksIn(replies));
    yield* stocks.notes;
    const book = rowsIn(replies, "pricebook", listUnder("", "pricebook", "data"), priceSchema);
    const prices = pricesIn(matchingRows(book));
    const groups = listIn(replies, "flavors", listUnder("data", "flavors", ""));
    yield* offers.items(rowsOf(groups.flatMap(flavorsOf), flavorSchema, "flavors"), (row) =>
      (row.gpu_count ?? 0) === 0 || (row.gpu ?? "") === "" ? undefined : rowOf(row, prices, stocks.value),
    );
  },
});

/** The stock of each model in each region: `norway-1 a100-80g-pcie`. */
function stocksIn(replies: readonly LiveReply[]): ReadonlyMap<string, Stock> {
  const regions = matchingRows(rowsIn(replies, "stocks", listUnder("stocks", ""), stockSchema));
  return new Map(
    regions.flatMap(({ region, models }) =>
      models.map((stock) => [`${region} ${stock.model}`.toLowerCase(), stock] as const),
    ),
  );
}

/** What the counts say of a size; nothing where they state none. */
function stockOf(stock: Stock | undefined, count: number): Pick<LiveRow, "availability" | "stockLevel"> {
  const ofSize = stock?.configurations?.[`${count}x`];
  const stated = ofSize ?? stock?.available;
  const free = Number.parseInt(stated ?? "", 10);
  if (stated == null || Number.isNaN(free)) {
    return {};
  }
  const planned = stock?.planned_7_days ?? "0";
  return {
    availability: free >= (ofSize == null ? count : 1) ? "in_stock" : "sold_out",
    stockLevel: `${stated} ${ofSize == null ? "GPUs" : "of this size"}${free > 0 || planned === "0" ? "" : `, ${planned} GPUs planned in 7 days`}`,
  };
}

/** Machines are created with an image's name, which has spaces; an id has none. */
function imagesIn(replies: readonly LiveReply[]): SourceImage[] {
  const groups = matchingRows(rowsIn(replies, "images", listUnder("images", ""), imageGroupSchema));
  return liveImages(
    groups.flatMap(({ images }) =>
      images.flatMap(({ name, flavor_restrictions: restrictions }) => {
        const flavors = restrictionsSchema.safeParse(restrictions);
        const id = name.trim().replaceAll(/\s+/g, "-");
        return flavors.success ? [{ id, name, instanceTypes: flavors.data?.length ? flavors.data : undefined }] : [];
      }),
    ),
  );
}

/**
 * Prices by name. A book may have several periods for a name, and this reader has no clock: the open-ended price counts,
 * and of several the highest, because an estimate must never be too low.
 */
function pricesIn(prices: readonly Price[]): ReadonlyMap<string, number> {
  const periodsOf = Map.groupBy(prices, ({ name, end_time: end }) => `${end == null} ${name.toLowerCase()}`);
  return new Map(
    prices.map(({ name }) => {
      const key = name.toLowerCase();
      const periods = periodsOf.get(`true ${key}`) ?? periodsOf.get(`false ${key}`) ?? [];
      return [key, Math.max(...periods.map(({ value }) => value))];
    }),
  );
}

/** The flavors in a group for one GPU and region, or a single flavor. */
function flavorsOf(value: unknown): readonly unknown[] {
  const { data: group } = groupSchema.safeParse(value);
  if (group === undefined) {
    return [value];
  }
  const { flavors, gpu, region_name } = group;
  return flavors.map((flavor) => inGroup(flavor, { gpu, region_name }));
}

/** A flavor may omit, or set to null, what its group states. */
function inGroup(flavor: unknown, group: Pick<Flavor, "gpu" | "region_name">): unknown {
  if (typeof flavor !== "object" || flavor === null) {
    return flavor;
  }
  const own = Object.fromEntries(Object.entries(flavor).filter(([, value]) => value != null));
  return { ...group, ...own };
}

function rowOf(
  flavor: Flavor,
  prices: ReadonlyMap<string, number>,
  stocks: ReadonlyMap<string, Stock> = new Map(),
): LiveRow | Rejection {
  const gpu = flavor.gpu ?? "";
  if (/-spot$/i.test(flavor.name) || /-spot$/i.test(gpu)) {
    return new Rejection("spot_only", `${flavor.name} is a spot flavor.`);
  }
  const price = prices.get(gpu.toLowerCase());
  if (price === undefined) {
    return new Rejection("no_price", `The price book has no ${gpu.slice(0, 60)}.`);
  }
  const spotPrice = prices.get(`${gpu.toLowerCase()}-spot`);
  const count = flavor.gpu_count ?? 0;
  return {
    instanceType: flavor.name,
    region: flavor.region_name || null,
    gpu: { name: gpu, count },
    priceHourly: price * count,
    isAvailable: flavor.stock_available === true,
    ...stockOf(stocks.get(`${flavor.region_name ?? ""} ${gpu}`.toLowerCase()), count),
    vcpu: flavor.cpu,
    ramGb: flavor.ram,
    // The ephemeral disk is lost when the machine stops.
    disk: { kind: "included", sizeGb: flavor.disk ?? 0, scratchGb: flavor.ephemeral ?? 0 },
    listing: { instanceType: flavor.name, seller: "cloud", spot: spotTerms(spotPrice && spotPrice * count) },
  };
}
