import { HOURS_OF_A_MONTH } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import type { SourceImage } from "../source-item.js";
import { defineSource } from "./define-source.js";
import { liveImages } from "./live-images.js";
import type { StatedDisk } from "../machine-disk.js";
import type { LiveOffers, LiveRow } from "./live-offers.js";
import { isFailure, type LiveItem, type LiveReply } from "./live-source.js";
import { bodyOf, checkTotal, listOf, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";
import { sellerOf } from "./terms.js";

// https://docs.primeintellect.ai/api-reference: available offers of several clouds, with their disk options.

const PAGE_SIZE = 100;
const MAX_PAGES = 200;
/** Numbers of this size or larger mean "no limit" or "no price". */
const SENTINEL = 99_999_999;

const pageSchema = z.union([
  z.object({ items: z.array(z.unknown()), totalCount: z.int().min(0).nullish() }),
  z.array(z.unknown()).transform((rows) => ({ items: rows, totalCount: undefined })),
]);

const amountSchema = z.object({ defaultCount: sizeSchema }).nullish();
const itemSchema = z.object({
  cloudId: nameSchema,
  images: listOf(z.string()),
  gpuType: z.string().max(200),
  socket: z.string().max(40).nullish(),
  provider: nameSchema,
  region: z.string().max(200).nullish(),
  dataCenter: z.string().max(200).nullish(),
  country: z.string().max(200).nullish(),
  gpuCount: z.number().min(0),
  gpuMemory: sizeSchema,
  disk: z
    .object({
      minCount: sizeSchema,
      defaultCount: sizeSchema,
      maxCount: sizeSchema,
      // USD per GB and hour.
      pricePerUnit: z.number().min(0).nullish(),
      defaultIncludedInPrice: z.boolean().nullish(),
    })
    .nullish(),
  vcpu: amountSchema,
  memory: amountSchema,
  interconnect: z.union([z.number(), z.string()]).nullish(),
  interconnectType: z.string().max(60).nullish(),
  stockStatus: z.string().nullish(),
  security: z.string().max(60).nullish(),
  // USD per hour for the whole configuration.
  prices: z.object({
    onDemand: z.number().min(0).nullish(),
    communityPrice: z.number().min(0).nullish(),
    currency: z.string().nullish(),
  }),
  isSpot: z.boolean().nullish(),
});
type Item = z.output<typeof itemSchema>;

/** Stands for an image of the account. */
const CUSTOM_IMAGE = "custom_template";

export const primeintellect = defineSource({
  name: "primeintellect",
  title: "Prime Intellect",
  homepage: "https://www.primeintellect.ai",
  kind: "marketplace",
  secrets: ["PRIME_API_KEY"],
  hosts: ["api.primeintellect.ai"],
  intervalSeconds: 600,
  maxBytes: 16 * 1024 * 1024,
  spacingMs: 500,
  stock: "live",
  recordedAt: "2025-11-16",
  terms: "API for customers.",
  includes: "price, price and bounds of the disk, stock, place, vCPUs, memory, images by type",
  omits: "NVLink, what is sold out",

  *requests({ secrets }) {
    const headers = { authorization: `Bearer ${secrets["PRIME_API_KEY"] ?? ""}` };
    let rows = 0;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const url = `https://api.primeintellect.ai/api/v1/availability/gpus?page=${page}&page_size=${PAGE_SIZE}`;
      const reply = yield { part: "gpus", main: true, method: "GET", url, headers };
      if (isFailure(reply)) {
        return;
      }
      const { items: found, totalCount } = bodyOf(reply, pageSchema);
      rows += found.length;
      // Without a total, a page that is not full is the last one.
      if (found.length === 0 || (totalCount == null ? found.length < PAGE_SIZE : rows >= totalCount)) {
        return;
      }
    }
  },

  items,
});

/** The images of all offers with the types that they fit; undefined if none states any. */
function imagesOf(found: readonly (Item | Rejection)[]): SourceImage[] | undefined {
  const images = found.flatMap((item) =>
    item instanceof Rejection
      ? []
      : item.images.filter((id) => id !== CUSTOM_IMAGE).map((id) => ({ id, instanceTypes: [item.cloudId] })),
  );
  return images.length === 0 ? undefined : liveImages(images);
}

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const pages = responsesOf(replies, "gpus").map((response) => bodyOf(response, pageSchema));
  const rows = pages.flatMap(({ items: ofPage }) => ofPage);
  checkTotal(replies, "gpus", { total: pages[0]?.totalCount ?? undefined, rows: rows.length });
  const found = rowsOf(rows, itemSchema, "items");
  yield offers.providerItem(undefined, imagesOf(found.map(({ row }) => row)));
  yield* offers.items(found, (row) => (row.gpuCount === 0 || /^cpu/i.test(row.gpuType) ? undefined : rowOf(row)));
}

function rowOf(item: Item): LiveRow | Rejection {
  const { prices, disk } = item;
  if (item.isSpot === true) {
    return new Rejection("spot_only", `${item.cloudId} of ${item.provider} is a spot offer.`);
  }
  if (prices.currency != null && prices.currency.toUpperCase() !== "USD") {
    return new Rejection("unknown_currency", `The price is in ${prices.currency.slice(0, 8)}.`);
  }
  const price = prices.onDemand ?? prices.communityPrice;
  if (price == null) {
    return new Rejection("no_price", `${item.cloudId} of ${item.provider} has no price.`);
  }
  if (price >= SENTINEL) {
    return new Rejection("bad_price", `The price ${price} is a placeholder for no price.`);
  }
  const gpuName = item.gpuType;
  return {
    instanceType: [item.provider, item.cloudId, item.socket ?? "", `${item.gpuCount}x`, item.security ?? ""].join(":"),
    region: item.dataCenter ?? item.region ?? null,
    place: { countryCode: item.country ?? undefined },
    gpu: {
      name: gpuName,
      otherNames: item.socket == null ? [] : [`${gpuName} ${item.socket}`],
      count: item.gpuCount,
      unclearVramGb: item.gpuMemory == null || item.gpuMemory === 0 ? undefined : item.gpuMemory,
    },
    priceHourly: price,
    isAvailable: /^(?:available|low|medium|high)$/i.test(item.stockStatus ?? ""),
    availability: item.stockStatus == null ? "unknown" : undefined,
    stockLevel: item.stockStatus,
    listing: { instanceType: item.cloudId, seller: sellerOf(item.security) },
    vcpu: item.vcpu?.defaultCount,
    ramGb: item.memory?.defaultCount,
    disk: disk == null ? { kind: "unpriced" } : diskOf(disk),
    interconnect: interconnectOf(item),
  };
}

function diskOf(disk: NonNullable<Item["disk"]>): StatedDisk {
  const defaultGb = Math.floor(disk.defaultCount ?? 0);
  if (disk.pricePerUnit == null || disk.pricePerUnit >= SENTINEL) {
    return disk.defaultIncludedInPrice === true
      ? { kind: "included", sizeGb: defaultGb }
      : { kind: "unpriced", sizeGb: defaultGb };
  }
  const minGb = Math.ceil(disk.minCount ?? defaultGb);
  const statedMax = disk.maxCount ?? defaultGb;
  // Without a limit, the largest size known to exist.
  const maxGb = Math.max(minGb, statedMax >= SENTINEL ? defaultGb : Math.floor(statedMax));
  return { kind: "chosen", pricePerGbMonth: disk.pricePerUnit * HOURS_OF_A_MONTH, minGb, maxGb };
}

function interconnectOf({ interconnect, interconnectType }: Item): string | null {
  const gbps = Number(interconnect ?? 0);
  const kind = interconnectType ?? "";
  if (kind === "" && !(gbps > 0)) {
    return null;
  }
  return gbps > 0 ? `${kind === "" ? "Network" : kind} ${gbps} Gbps` : kind;
}
