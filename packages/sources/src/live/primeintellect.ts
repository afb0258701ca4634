import { HOURS_OF_A_MONTH } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { bearer, pagesOf } from "./define-source.js";
import { imagesOfTypes } from "./live-images.js";
import type { StatedDisk } from "../machine-disk.js";
import type { LiveRow } from "./live-offers.js";
import { bodiesOf, bodyOf, checkTotal, listOf, matchingRows, nameSchema, rowsOf, sizeSchema } from "./response.js";
import { currencyRejection, sellerOf } from "./terms.js";

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

export const primeintellect = builtInSource("primeintellect", {
  auth: bearer,
  requests() {
    let rows = 0;
    return pagesOf(
      (page) => ({
        part: "gpus",
        url: `https://api.primeintellect.ai/api/v1/availability/gpus?page=${page}&page_size=${PAGE_SIZE}`,
      }),
      (reply, page) => {
        const { items: found, totalCount } = bodyOf(reply, pageSchema);
        rows += found.length;
        // Without a total, a page that is not full is the last one.
        const hasMore = totalCount == null ? found.length >= PAGE_SIZE : found.length > 0 && rows < totalCount;
        return hasMore && page < MAX_PAGES;
      },
    );
  },

  *items(offers, replies) {
    const pages = bodiesOf(replies, "gpus", pageSchema);
    const rows = pages.flatMap(({ items }) => items);
    checkTotal(replies, "gpus", { total: pages[0]?.totalCount ?? undefined, rows: rows.length });
    const found = rowsOf(rows, itemSchema, "items");
    const images = matchingRows(found).map(
      (item) => [item.cloudId, item.images.filter((id) => id !== CUSTOM_IMAGE)] as const,
    );
    yield offers.providerItem(undefined, imagesOfTypes(images));
    yield* offers.items(found, (row) => (row.gpuCount === 0 || /^cpu/i.test(row.gpuType) ? undefined : rowOf(row)));
  },
});

function rowOf(item: Item): LiveRow | Rejection {
  const { prices, disk } = item;
  if (item.isSpot === true) {
    return new Rejection("spot_only", `${item.cloudId} of ${item.provider} is a spot offer.`);
  }
  const rejection = currencyRejection(prices.currency);
  if (rejection !== undefined) {
    return rejection;
  }
  const price = prices.onDemand ?? prices.communityPrice;
  if (price == null) {
    return new Rejection("no_price", `${item.cloudId} of ${item.provider} has no price.`);
  }
  if (price >= SENTINEL) {
    return new Rejection("bad_price", `The price ${price} is a placeholder for no price.`);
  }
  return {
    instanceType: [item.provider, item.cloudId, item.socket ?? "", `${item.gpuCount}x`, item.security ?? ""].join(":"),
    region: item.dataCenter ?? item.region ?? null,
    place: { countryCode: item.country ?? undefined },
    gpu: {
      name: item.gpuType,
      otherNames: item.socket == null ? [] : [`${item.gpuType} ${item.socket}`],
      count: item.gpuCount,
      unclearVramGb: item.gpuMemory || undefined,
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
