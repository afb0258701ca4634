import * as z from "zod";
import type { SourceImage } from "../source-item.js";
import { builtInSource } from "./built-in-source.js";
import { bearer, pagesOf } from "./define-source.js";
import { liveImages } from "./live-images.js";
import { inPlaces, type LiveMachine } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { bodiesOf, bodyOf, checkTotal, listUnder, matchingRows, nameSchema, rowsIn, sizeSchema } from "./response.js";

// https://docs.digitalocean.com/reference/api: droplet sizes, each with the regions that have it.

const API = "https://api.digitalocean.com/v2";

const pageSchema = z.union([
  z.object({
    sizes: z.array(z.unknown()),
    links: z.object({ pages: z.object({ next: z.string().max(2000).nullish() }).nullish() }).nullish(),
    meta: z.object({ total: z.int().min(0).nullish() }).nullish(),
  }),
  z.array(z.unknown()).transform((sizes) => ({ sizes, links: null, meta: null })),
]);
const amountSchema = z.object({ amount: z.number().min(0), unit: z.string() });

const sizeRowSchema = z.object({
  slug: nameSchema,
  price_hourly: z.number().min(0),
  // MB.
  memory: sizeSchema,
  vcpus: sizeSchema,
  disk: sizeSchema,
  regions: z.array(nameSchema),
  available: z.boolean(),
  gpu_info: z.object({ count: z.number().min(0), model: z.string(), vram: amountSchema.nullish() }).nullish(),
  disk_info: z.array(z.object({ type: z.string(), size: amountSchema })).nullish(),
});
type Size = z.output<typeof sizeRowSchema>;
type GpuInfo = NonNullable<Size["gpu_info"]>;

const imageSchema = z.object({
  // Images without one are of the account.
  slug: nameSchema.nullish(),
  name: z.string(),
  distribution: z.string(),
  status: z.string().nullish(),
});

export const digitalocean = builtInSource("digitalocean", {
  auth: bearer,
  *requests() {
    yield* pagesOf(
      (page) => ({ part: "sizes", url: `${API}/sizes?page=${page}&per_page=200` }),
      (reply) => bodyOf(reply, pageSchema).links?.pages?.next,
    );
  },
  images: { part: "images", url: `${API}/images?type=distribution&page=1&per_page=200`, read: imagesIn },

  items(offers, replies) {
    const pages = bodiesOf(replies, "sizes", pageSchema);
    const list = pageSchema.transform(({ sizes }) => sizes);
    const rows = rowsIn(replies, "sizes", list, sizeRowSchema);
    // An excerpt of one page may state the overall total.
    if (pages.length > 1) {
      checkTotal(replies, "sizes", { total: pages[0]?.meta?.total ?? undefined, rows: rows.length });
    }
    return offers.items(rows, (row) => {
      const { gpu_info: gpu, regions, available: isAvailable } = row;
      const places = [...new Set(regions)].map((region) => ({ region, isAvailable }));
      return gpu == null || gpu.count === 0 ? undefined : inPlaces(rowOf(row, gpu), places);
    });
  },
});

/** Images of distributions; those of the account and of the marketplace are not among them. */
function imagesIn(replies: readonly LiveReply[]): SourceImage[] {
  const images = matchingRows(rowsIn(replies, "images", listUnder("images"), imageSchema));
  return liveImages(
    images.flatMap(({ slug, name, distribution, status }) =>
      slug == null || (status ?? "available") !== "available" ? [] : [{ id: slug, name: `${distribution} ${name}` }],
    ),
  );
}

function rowOf(size: Size, gpu: GpuInfo): LiveMachine {
  const disks = size.disk_info ?? [];
  const diskGb =
    disks.length === 0 ? (size.disk ?? 0) : disks.reduce((sum, { size: amount }) => sum + (gigabytes(amount) ?? 0), 0);
  // Machines boot from `disk`; the others are scratch disks.
  const bootGb = size.disk ?? diskGb;
  return {
    instanceType: size.slug,
    // The memory is of all GPUs together.
    gpu: { name: gpu.model, count: gpu.count, totalVramGb: gigabytes(gpu.vram) },
    priceHourly: size.price_hourly,
    vcpu: size.vcpus,
    ramGb: size.memory == null ? null : size.memory / 1024,
    disk: { kind: "included", sizeGb: bootGb, scratchGb: diskGb - bootGb },
    listing: { instanceType: size.slug, seller: "cloud" },
  };
}

const GB_OF: ReadonlyMap<string, number> = new Map(Object.entries({ gb: 1, gib: 1, tb: 1024, tib: 1024 }));

function gigabytes(size: z.output<typeof amountSchema> | null | undefined): number | undefined {
  const gb = GB_OF.get(size?.unit.toLowerCase() ?? "");
  return size == null || gb === undefined ? undefined : size.amount * gb;
}
