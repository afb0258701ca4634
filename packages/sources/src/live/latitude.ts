import * as z from "zod";
import { Rejection } from "../rejection.js";
import type { SourceImage } from "../source-item.js";
import { builtInSource } from "./built-in-source.js";
import { bearer, pagesOf } from "./define-source.js";
import { liveImages } from "./live-images.js";
import { inPlaces, type LiveMachine, type LiveRow } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { bodyOf, listOf, listUnder, matchingRows, nameSchema, nestedRowsOf, rowsIn } from "./response.js";

// https://docs.latitude.sh/reference: plans of bare-metal servers, priced by country, with the sites that have them in stock.

const API = "https://api.latitude.sh/plans";
const PAGE_SIZE = 100;

const pageSchema = listUnder("data", "");

const regionSchema = z.object({
  name: nameSchema,
  locations: z.object({ available: listOf(nameSchema), in_stock: listOf(nameSchema) }),
  // Of the whole country: `low`, `medium`, `high` ...
  stock_level: z.string().nullish(),
  pricing: z.object({ USD: z.object({ hour: z.number().min(0).nullable() }).nullish() }),
});
const planSchema = z
  .object({
    attributes: z.object({
      slug: nameSchema,
      name: z.string().nullish(),
      specs: z.object({
        cpu: z.object({ cores: z.number().nullish(), count: z.number().nullish() }).nullish(),
        memory: z.object({ total: z.number().nullish() }).nullish(),
        drives: z.array(z.object({ count: z.number().min(0), size: z.string() })).nullish(),
        gpu: z.object({ count: z.number().min(0).nullish(), type: z.string().nullish() }).nullish(),
      }),
      regions: z.array(z.unknown()),
    }),
  })
  .transform(({ attributes }) => attributes);
type Plan = z.output<typeof planSchema>;

const systemSchema = z
  .object({ attributes: z.object({ slug: nameSchema, name: z.string(), provisionable_on: z.array(z.string()) }) })
  .transform(({ attributes }) => attributes);
/** Stands for an image of the account. */
const CUSTOM_IMAGE = "ipxe";
type Region = z.output<typeof regionSchema>;

export const latitude = builtInSource("latitude", {
  auth: bearer,
  requests: () =>
    pagesOf(
      (page) => {
        const numbers = { "page[number]": String(page), "page[size]": String(PAGE_SIZE) };
        const query = new URLSearchParams({ "filter[gpu]": "true", ...numbers }).toString();
        return { part: "plans", url: `${API}?${query}` };
      },
      (reply) => bodyOf(reply, pageSchema).length >= PAGE_SIZE,
    ),
  images: { part: "operating_systems", url: `${API}/operating_systems?page[size]=${PAGE_SIZE}`, read: imagesIn },

  items: (offers, replies) =>
    offers.each(rowsIn(replies, "plans", pageSchema, planSchema), (plan, where) =>
      (plan.specs.gpu?.count ?? 0) === 0
        ? [{ kind: "skipped", where }]
        : offers.items(nestedRowsOf(plan.regions, regionSchema, `${where}.regions`), (region) =>
            placedRows(region, plan),
          ),
    ),
});

/** Images with the plans that they can be installed on, which the list calls by their names. */
function imagesIn(replies: readonly LiveReply[]): SourceImage[] {
  const listed = matchingRows(rowsIn(replies, "plans", pageSchema, planSchema));
  const plans = listed.filter(({ specs }) => (specs.gpu?.count ?? 0) > 0);
  const systems = matchingRows(rowsIn(replies, "operating_systems", pageSchema, systemSchema)).filter(
    ({ slug }) => slug !== CUSTOM_IMAGE,
  );
  return liveImages(
    systems.map(({ slug, name, provisionable_on: names }) => ({
      id: slug,
      name,
      instanceTypes: plans.filter((plan) => plan.name != null && names.includes(plan.name)).map((plan) => plan.slug),
    })),
  );
}

function placedRows(
  { name, locations, stock_level: level, pricing }: Region,
  plan: Plan,
): readonly (LiveRow | Rejection)[] | Rejection {
  if (pricing.USD == null) {
    return new Rejection("unknown_currency", `${plan.slug} has no price in USD in ${name}.`);
  }
  const { available, in_stock: inStock } = locations;
  const sites = new Set([...available, ...inStock]);
  const places = [...(sites.size === 0 ? [name] : sites)].map((region) => ({
    region,
    place: { country: name },
    isAvailable: inStock.includes(region),
    stockLevel: inStock.includes(region) ? level : null,
  }));
  return inPlaces(rowOf(plan, pricing.USD.hour ?? 0), places);
}

function rowOf({ slug, specs }: Plan, priceHourly: number): LiveMachine {
  const { cpu, memory, gpu } = specs;
  return {
    instanceType: slug,
    gpu: { name: gpu?.type ?? "", count: gpu?.count ?? 0 },
    priceHourly,
    vcpu: (cpu?.cores ?? 0) * (cpu?.count ?? 1),
    ramGb: memory?.total,
    disk: { kind: "included", sizeGb: diskGbOf(specs.drives ?? []) },
    listing: { instanceType: slug, seller: "cloud" },
  };
}

/** Sizes are text: `3.8TB`, `480GB`. If one cannot be parsed, the total is unknown. */
function diskGbOf(drives: readonly { count: number; size: string }[]): number {
  let total = 0;
  for (const { count, size } of drives) {
    const [, number, unit] = /^([\d.]{1,8}) ?([GT])i?B$/i.exec(size.trim()) ?? [];
    const gb = Number(number) * (unit?.toUpperCase() === "T" ? 1000 : 1);
    if (!(gb > 0)) {
      return 0;
    }
    total += count * gb;
  }
  return total;
}
