import { resolveGpu } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import type { SourceImage } from "../source-item.js";
import { builtInSource } from "./built-in-source.js";
import { pagesOf, type StatedRequests } from "./define-source.js";
import { liveImages } from "./live-images.js";
import { inPlaces, type LiveMachine, type LiveRow } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { optionalPart } from "./part.js";
import { bodyOf, listOf, listUnder, matchingRows, nameSchema, rowsIn, sizeSchema } from "./response.js";
import { spotTerms } from "./terms.js";

// https://docs.vultr.com/api: plans of virtual and of bare-metal machines, with the locations where they are sold.

const API = "https://api.vultr.com/v2";

const nextSchema = z.object({ links: z.object({ next: z.string().max(500).nullish() }).nullish() }).nullish();
const plansSchema = z.union([
  z.object({ plans: z.array(z.unknown()), meta: nextSchema }).transform(({ plans, meta }) => ({ rows: plans, meta })),
  z
    .object({ plans_metal: z.array(z.unknown()), meta: nextSchema })
    .transform(({ plans_metal, meta }) => ({ rows: plans_metal, meta })),
  z.array(z.unknown()).transform((rows) => ({ rows, meta: undefined })),
]);
const regionsSchema = z
  .object({ regions: z.array(z.unknown()), meta: nextSchema })
  .transform(({ regions, meta }) => ({ rows: regions, meta }));
const pageSchema = z.union([plansSchema, regionsSchema]);

const planSchema = z.object({
  id: nameSchema,
  // 0 if the plan is only sold as preemptible.
  hourly_cost: z.number().min(0),
  hourly_cost_preemptible: z.number().min(0).nullish(),
  deploy_ondemand: z.boolean().nullish(),
  // MB.
  ram: sizeSchema,
  // GB of one disk.
  disk: sizeSchema,
  disk_count: z.int().min(0).nullish(),
  vcpu_count: sizeSchema,
  cpu_threads: sizeSchema,
  // Memory of all GPUs of the plan together.
  gpu_vram_gb: z.number().min(0).nullish(),
  gpu_type: z.string().nullish(),
  locations: listOf(nameSchema),
});
type Plan = z.output<typeof planSchema>;

const osSchema = z.object({ id: z.int().min(0), name: z.string(), family: z.string() });
/** Entries that stand for something of the account. */
const NO_OS = new Set(["iso", "snapshot", "backup", "application"]);

const regionSchema = z.object({ id: nameSchema, city: z.string().default(""), country: z.string() });
type Region = z.output<typeof regionSchema>;

/** Cards that Vultr rents in only one size, although others exist: its A100 is the 80 GB PCIe card. */
const CARD_GB: ReadonlyMap<string, number> = new Map([["NVIDIA_A100", 80]]);

export const vultr = builtInSource("vultr", {
  *requests() {
    yield* pages("plans", { type: "vcg" }, true);
    yield* pages("plans-metal", {}, true);
    yield* pages("regions", {}, false);
    yield { part: "whole-cards", optional: true, url: `${API}/plans?type=vdm&per_page=500` };
  },
  images: { part: "os", url: `${API}/os?per_page=500`, read: imagesIn },

  *items(offers, replies) {
    const list = regionsSchema.transform(({ rows }) => rows);
    const listed = matchingRows(rowsIn(replies, "regions", list, regionSchema));
    const regions = new Map(listed.map((region) => [region.id, region]));
    const whole = optionalPart(replies, "whole-cards", "Plans of whole cards", () => plansIn(replies, "whole-cards"));
    yield* whole.notes;
    const sure = ["plans", "plans-metal"].flatMap((part) => plansIn(replies, part));
    yield* offers.items([...sure, ...(whole.value ?? [])], (plan) => rowsOfPlan(plan, regions));
  },
});

function pages(part: string, filter: Readonly<Record<string, string>>, main: boolean): StatedRequests {
  return pagesOf(
    (_, cursor?: string) => {
      const query = new URLSearchParams({ ...filter, per_page: "500", ...(cursor === undefined ? {} : { cursor }) });
      return { part, main, url: `${API}/${part}?${query.toString()}` };
    },
    (reply) => bodyOf(reply, pageSchema).meta?.links?.next,
  );
}

function plansIn(replies: readonly LiveReply[], part: string) {
  const list = plansSchema.transform(({ rows }) => rows);
  return rowsIn(replies, part, list, planSchema);
}

function imagesIn(replies: readonly LiveReply[]): SourceImage[] {
  const systems = matchingRows(rowsIn(replies, "os", listUnder("os"), osSchema));
  return liveImages(
    systems.filter(({ family }) => !NO_OS.has(family)).map(({ id, name }) => ({ id: String(id), name })),
  );
}

function rowsOfPlan(
  plan: Plan,
  regions: ReadonlyMap<string, Region>,
): readonly (LiveRow | Rejection)[] | Rejection | undefined {
  const machine = rowOf(plan);
  const places = [...new Set(plan.locations)].map((location) => {
    const region = regions.get(location);
    const place = region && { countryCode: region.country, city: region.city };
    return { region: location, place, isAvailable: true };
  });
  return machine && inPlaces(machine, places);
}

function rowOf(plan: Plan): LiveMachine | Rejection | undefined {
  const whole = wholeGpus(plan.id);
  const gpu = whole ?? partOfCards(plan);
  if (gpu === undefined || gpu instanceof Rejection) {
    return gpu;
  }
  const isOnDemand = plan.deploy_ondemand !== false && plan.hourly_cost > 0;
  if (!isOnDemand && (plan.hourly_cost_preemptible ?? 0) > 0) {
    return new Rejection("spot_only", `${plan.id} is only sold as preemptible.`);
  }
  if (plan.deploy_ondemand === false) {
    return new Rejection("not_rentable", `${plan.id} cannot be deployed on demand.`);
  }
  const isMetal = whole !== undefined && plan.id.startsWith("vbm");
  return {
    instanceType: plan.id,
    gpu,
    priceHourly: plan.hourly_cost,
    type: isMetal ? "bare-metal" : undefined,
    vcpu: isMetal ? plan.cpu_threads : plan.vcpu_count,
    ramGb: plan.ram == null ? null : plan.ram / 1024,
    disk: { kind: "included", sizeGb: (plan.disk ?? 0) * (plan.disk_count ?? 1) },
    listing: { instanceType: plan.id, seller: "cloud", spot: spotTerms(plan.hourly_cost_preemptible) },
  };
}

/** The GPUs of a virtual machine by their memory, which may be a part of a card's; undefined if it has none. */
function partOfCards({ id, gpu_type: name, gpu_vram_gb }: Plan): LiveRow["gpu"] | Rejection | undefined {
  if (name == null || name === "") {
    return undefined;
  }
  const cardGb = cardGbOf(name);
  const totalGb = gpu_vram_gb ?? 0;
  if (cardGb === undefined || totalGb === 0) {
    // The item contains the reason: the card or the count is unknown.
    return { name, count: totalGb === 0 ? undefined : 1 };
  }
  const count = totalGb / cardGb;
  return count < 1 && !isNearWhole(count)
    ? new Rejection("fractional_gpu", `${id} has ${totalGb} GB of a card of ${cardGb} GB.`)
    : { name, vramGb: cardGb, count: isNearWhole(count) ? Math.round(count) : count };
}

/**
 * The GPUs of a plan with whole cards, which only its id names: `vbm-112c-2048gb-8-h100-gpu`. If there is one, its id may omit
 * the count: `vbm-72c-480gb-gh200-gpu`.
 */
function wholeGpus(id: string): LiveRow["gpu"] | undefined {
  const [, count, name] = /^v(?:bm|dm)-.*?(?:-(\d{1,2}))?-([a-z0-9]+)-gpu$/.exec(id) ?? [];
  const vramGb = CARD_GB.get(`NVIDIA_${name?.toUpperCase()}`);
  return name === undefined ? undefined : { name, count: count === undefined ? undefined : Number(count), vramGb };
}

/** Stated sizes are within a few percent of the card's, such as 94 or 96 GB for one. */
function isNearWhole(count: number): boolean {
  const whole = Math.round(count);
  return whole >= 1 && Math.abs(count - whole) <= 0.04 * whole;
}

/** Memory of one card, if its name has only one possible size. */
function cardGbOf(name: string): number | undefined {
  const known = CARD_GB.get(name.toUpperCase());
  const resolution = resolveGpu(name);
  const candidates = resolution.kind === "ambiguous" ? resolution.candidates : [];
  const models = resolution.kind === "gpu" ? [resolution.model] : candidates;
  const [size, ...others] = new Set(models.map(({ vramGb }) => vramGb));
  return known ?? (others.length === 0 ? size : undefined);
}
