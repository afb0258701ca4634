import * as z from "zod";
import { Rejection } from "../rejection.js";
import { SourceError } from "../source-error.js";
import type { SourceImage } from "../source-item.js";
import { builtInSource } from "./built-in-source.js";
import { pagesOf, type StatedRequests } from "./define-source.js";
import { liveImages } from "./live-images.js";
import type { LiveOffers, LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply, LiveResponse } from "./live-source.js";
import { readScope } from "./part.js";
import { bodyOf, checkTotal, entriesOf, nameSchema, responsesOf, sizeSchema, usableRows } from "./response.js";

// https://www.scaleway.com/en/developers/api/instances: types by name, zone by zone, in euros, which responses don't state.
// (Its product catalog has prices per minute for the same cards.)

const API = "https://api.scaleway.com/instance/v1/zones";
const PAGE_SIZE = 100;
// All images are on one page.
const IMAGES_URL =
  "https://api.scaleway.com/marketplace/v2/images?include_eol=false&order_by=name_asc&page=1&page_size=100";
const REGIONS = ["fr-par", "nl-ams", "pl-waw"];
const ZONES = [...REGIONS.flatMap((region) => [1, 2, 3].map((number) => `${region}-${number}`)), "it-mil-1"];

const mapSchema = z.union([
  z.object({ servers: z.record(z.string(), z.unknown()) }).transform(({ servers }) => servers),
  z.record(z.string(), z.unknown()),
]);

const typeSchema = z.object({
  hourly_price: z.number().min(0).nullable(),
  ncpus: sizeSchema,
  // Bytes.
  ram: sizeSchema,
  gpu: z.number().min(0).nullish(),
  // The memory is of one GPU, in bytes.
  gpu_info: z.object({ gpu_name: z.string().nullish(), gpu_memory: sizeSchema }).nullish(),
  mig_profile: z.string().nullish(),
  scratch_storage_max_size: sizeSchema,
  end_of_service: z.boolean().nullish(),
});
type ServerType = z.output<typeof typeSchema>;

const stockSchema = z.object({ availability: z.string() });

export const scaleway = builtInSource("scaleway", {
  scopes: { noun: "zone", defaults: ZONES },

  check: (response) => bodyOf(response, mapSchema),

  *requests(context) {
    for (const zone of context.settings.scopes ?? ZONES) {
      yield* pages(zone, "products/servers", true);
      yield* pages(zone, "products/servers/availability", false);
    }
  },
  images: { part: "images", url: IMAGES_URL, read: imagesIn },

  *items(offers, replies) {
    const zones = new Set(responsesOf(replies, "products/servers").map(({ request }) => request.scope ?? ""));
    for (const scope of zones) {
      // A recording with one body belongs to the zone that was requested first.
      const ofZone = replies.filter(({ request }) => request.scope === scope);
      yield* readScope(scope, () => zoneItems(offers, ofZone, scope));
    }
  },
});

function pages(zone: string, path: string, main: boolean): StatedRequests {
  let rows = 0;
  return pagesOf(
    (page) => {
      const url = `${API}/${encodeURIComponent(zone)}/${path}?page=${page}&per_page=${PAGE_SIZE}`;
      return { part: path, main, scope: zone, url };
    },
    (reply) => {
      const count = Object.keys(bodyOf(reply, mapSchema)).length;
      rows += count;
      const total = totalOf(reply);
      // Without a total, a page that is not full is the last one.
      return total === undefined ? count >= PAGE_SIZE : count > 0 && rows < total;
    },
  );
}

const imagesSchema = z.object({ images: z.array(z.unknown()), total_count: z.int().min(0) });
// A label stands for the current version of an image in each zone.
const imageSchema = z.object({ label: nameSchema, name: z.string().nullish() });

function imagesIn(replies: readonly LiveReply[]): SourceImage[] {
  const bodies = responsesOf(replies, "images").map((response) => bodyOf(response, imagesSchema));
  const rows = bodies.flatMap(({ images }) => images);
  if (rows.length !== bodies[0]?.total_count) {
    throw new SourceError(`The pages hold ${rows.length} images, but the response counts ${bodies[0]?.total_count}.`);
  }
  return liveImages(usableRows(rows, imageSchema, "images").map(({ label, name }) => ({ id: label, name })));
}

function zoneItems(offers: LiveOffers, replies: readonly LiveReply[], zone: string): Iterable<LiveItem> {
  const types = namedValues(replies, "products/servers");
  const stock = new Map(
    namedValues(replies, "products/servers/availability").flatMap(([name, value]) => {
      const { data } = stockSchema.safeParse(value);
      return data === undefined ? [] : [[name, data.availability] as const];
    }),
  );
  return offers.items(
    entriesOf(types, typeSchema, zone),
    ([name, type]) => ((type.gpu ?? 0) === 0 ? undefined : rowOf(name, type, zone, stock.get(name))),
    () => zone,
  );
}

function namedValues(replies: readonly LiveReply[], part: string): [string, unknown][] {
  const responses = responsesOf(replies, part);
  const entries = responses.flatMap((response) => Object.entries(bodyOf(response, mapSchema)));
  const [first] = responses;
  checkTotal(replies, part, { total: first && totalOf(first), rows: entries.length });
  return entries;
}

/** The count in a header of the response; undefined if it is missing or not a number. */
function totalOf(response: LiveResponse): number | undefined {
  const text = response.headers["x-total-count"];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function rowOf(name: string, type: ServerType, zone: string, stock: string | undefined): LiveRow | Rejection {
  if (!nameSchema.safeParse(name).success) {
    return new Rejection("bad_row", "The type has no usable name.");
  }
  if (type.end_of_service === true) {
    return new Rejection("not_rentable", `${name} is at the end of its service.`);
  }
  if (type.mig_profile != null) {
    return new Rejection("fractional_gpu", `${name} has slices of cards.`);
  }
  if (type.hourly_price === null) {
    return new Rejection("no_price", `${name} has no price.`);
  }
  return {
    instanceType: name,
    region: zone,
    gpu: {
      name: type.gpu_info?.gpu_name ?? "",
      count: type.gpu ?? undefined,
      vramGb: (type.gpu_info?.gpu_memory ?? 0) / 1024 ** 3 || undefined,
    },
    priceHourly: type.hourly_price,
    // Scarce means that some are left.
    isAvailable: stock === "available" || stock === "scarce",
    availability: stock === undefined ? "unknown" : undefined,
    stockLevel: stock,
    vcpu: type.ncpus,
    ramGb: type.ram == null ? null : type.ram / 1024 ** 3,
    disk: { kind: "unpriced", sizeGb: (type.scratch_storage_max_size ?? 0) / 1e9 },
    listing: { instanceType: name, seller: "cloud" },
  };
}
