import { HOURS_OF_A_MONTH } from "@gpu-offers/domain";
import * as z from "zod";
import type { ReadDisk } from "../machine-disk.js";
import { Rejection } from "../rejection.js";
import type { SourceImage } from "../source-item.js";
import { builtInSource } from "./built-in-source.js";
import { pagesOf, type StatedRequest, type StatedRequests } from "./define-source.js";
import { liveImages } from "./live-images.js";
import { inPlaces, type LiveMachine } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { optionalPart } from "./part.js";
import { bodiesOf, bodyOf, checkTotal, listOf, matchingRows, nameSchema, rowsOf, sizeSchema } from "./response.js";

// https://techdocs.akamai.com/linode-api/reference: types with prices, regions, and which region has which plan.

const API = "https://api.linode.com/v4";
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

const regionalSchema = {
  price: z.object({ hourly: z.number().min(0).nullable() }),
  region_prices: listOf(z.object({ id: z.string(), hourly: z.number().min(0).nullable() })),
};
const typeSchema = z.object({
  id: nameSchema,
  label: z.string(),
  gpus: z.int().min(0).default(0),
  ...regionalSchema,
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
// USD per GB; of traffic, although the API calls it hourly.
const pricesSchema = z.object({ id: z.string(), ...regionalSchema });
const imageSchema = z.object({
  id: nameSchema,
  label: z.string().nullish(),
  is_public: z.boolean(),
  deprecated: z.boolean(),
  status: z.string().nullish(),
});
const stockSchema = z.object({ region: z.string(), plan: z.string(), available: z.boolean() });

type Type = z.output<typeof typeSchema>;

export const linode = builtInSource("linode", {
  *requests() {
    yield* pages("linode/types", true);
    yield* pages("regions", false);
    yield* pages("regions/availability", false);
    yield optionalRequest("network-transfer/prices");
    yield optionalRequest("volumes/types");
  },
  images: { ...optionalRequest("images"), read: imagesIn },

  *items(offers, replies) {
    const types = rowsIn(replies, "linode/types", typeSchema);
    const regions = new Map(matchingRows(rowsIn(replies, "regions", regionSchema)).map((row) => [row.id, row]));
    const stock = Map.groupBy(matchingRows(rowsIn(replies, "regions/availability", stockSchema)), ({ plan }) => plan);
    const traffic = optionalPart(replies, "network-transfer/prices", "Prices of traffic", () =>
      pricesOf(replies, "network-transfer/prices", "network_transfer"),
    );
    const disks = optionalPart(replies, "volumes/types", "Current prices of volumes", () =>
      pricesOf(replies, "volumes/types", "volume"),
    );
    yield* [...traffic.notes, ...disks.notes];
    yield* offers.items(types, (type) => {
      if (type.gpus === 0) {
        return undefined;
      }
      const listed = new Map((stock.get(type.id) ?? []).map(({ region, available }) => [region, available]));
      // The stock list names every region for some plans, so a "no" counts only in regions that sell GPUs.
      const sold = [...listed].filter(
        ([id, isAvailable]) => isAvailable || (regions.get(id)?.capabilities.includes("GPU Linodes") ?? true),
      );
      if (sold.length === 0) {
        const availability = listed.size === 0 ? "unknown" : undefined;
        const machine = rowOf(type, type.price.hourly, null, undefined);
        return inPlaces(machine, [{ region: null, isAvailable: false, availability }]);
      }
      return sold.flatMap(([id, isAvailable]) => {
        const region = regions.get(id);
        const place = region && { countryCode: region.country, city: region.label.replace(/, [A-Z]{2}$/, "") };
        const egress = traffic.value && priceIn(traffic.value, id);
        const machine = rowOf(type, priceIn(type, id), egress, volumeIn(disks.value, id));
        return inPlaces(machine, [{ region: id, place, isAvailable }]);
      });
    });
  },
});

/** All rows in one page. */
function optionalRequest(part: string): StatedRequest {
  return { part, optional: true, url: `${API}/${part}?page=1&page_size=500` };
}

function pages(part: string, main: boolean): StatedRequests {
  return pagesOf(
    (page) => ({ part, main, url: `${API}/${part}?page=${page}&page_size=500` }),
    (reply, page) => page < bodyOf(reply, listSchema).pages,
  );
}

function rowsIn<T extends z.ZodType>(replies: readonly LiveReply[], part: string, schema: T) {
  const bodies = bodiesOf(replies, part, listSchema);
  const rows = bodies.flatMap(({ data }) => data);
  checkTotal(replies, part, { total: bodies[0]?.results, rows: rows.length });
  return rowsOf(rows, schema, part);
}

/** Images that one can choose now; private ones are of the account. */
function imagesIn(replies: readonly LiveReply[]): SourceImage[] {
  const rows = matchingRows(rowsIn(replies, "images", imageSchema));
  const current = rows.filter((row) => row.is_public && !row.deprecated && (row.status ?? "available") === "available");
  return liveImages(current.map(({ id, label }) => ({ id, name: label })));
}

type Prices = z.output<typeof pricesSchema>;

/**
 * What is sold beside the types: traffic beyond what the plans include, and block storage. Distributed regions, which have
 * no GPUs, have prices of traffic of their own.
 */
function pricesOf(replies: readonly LiveReply[], part: string, product: string): Prices | undefined {
  return matchingRows(rowsIn(replies, part, pricesSchema)).find(({ id }) => id === product);
}

/** A regional price replaces the general one, even if it is unknown. */
function priceIn({ price, region_prices: prices }: Type | Prices, region: string): number | null {
  return (prices.find(({ id }) => id === region) ?? price).hourly;
}

/** The hourly price of a GB: an instance that runs for a month pays less, because the month has a maximum. */
function volumeIn(volumes: Prices | undefined, region: string): ReadDisk | undefined {
  const hourly = volumes && priceIn(volumes, region);
  return hourly == null || hourly === 0 ? undefined : { pricePerGbMonth: hourly * HOURS_OF_A_MONTH };
}

/** Labels contain the card: "Dedicated 32GB + RTX6000 GPU x1", "RTX4000 Ada x1 Small". */
function rowOf(
  type: Type,
  hourly: number | null,
  egressPerGB: number | null | undefined,
  volume: ReadDisk | undefined,
): LiveMachine | Rejection {
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
    disk: { kind: "included", sizeGb: (type.disk ?? 0) / 1024, volume },
    listing: { instanceType: type.id, seller: "cloud", egressPerGB },
  };
}
