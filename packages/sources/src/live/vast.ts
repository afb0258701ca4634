import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { bearer, type StatedRequests } from "./define-source.js";
import type { LiveRow } from "./live-offers.js";
import { isFailure, type LiveContext, type LiveItem, type LiveReply } from "./live-source.js";
import { bodyOf, listIn, listUnder, nameSchema, responsesOf, rowsOf } from "./response.js";
import { spotTerms } from "./terms.js";
import { vastGpus } from "../price-lists.facts.js";

// https://docs.vast.ai/api-reference: one search per GPU name. An anonymous search returns at most 64 offers, so the
// cheapest and, if there are more, the most expensive ones are requested; with a key, a search returns thousands.

const ANONYMOUS_LIMIT = 64;
const KEYED_LIMIT = 2000;

/** Hours per month in Vast's disk prices: dph_total - dph_base is storage_cost x GB / 720 in every response. */
const HOURS_A_MONTH = 720;
/** Minimum disk, the default of Vast's own client. */
const MIN_DISK_GB = 10;

const listSchema = listUnder("offers", "");

const offerSchema = z.object({
  id: z.union([z.int(), z.string()]).optional(),
  machine_id: z.int(),
  gpu_name: nameSchema,
  num_gpus: z.int().min(1),
  // MiB of one GPU, as its driver reports it.
  gpu_ram: z.number().positive(),
  // Of the offer, like cpu_ram in MB; cpu_cores is the host's.
  cpu_cores_effective: z.number().min(0).nullish(),
  cpu_ram: z.number().min(0).nullish(),
  disk_space: z.number().min(0),
  // USD per GB and month.
  storage_cost: z.number().min(0),
  // USD per hour for all GPUs of the offer, without disk.
  dph_base: z.number(),
  geolocation: z.string().max(200).nullish(),
  // USD per hour: the lowest bid for an interruptible rental of the whole offer, without disk.
  min_bid: z.number().nullish(),
  // 1 and above: a data center.
  hosting_type: z.number().nullish(),
  verification: z.string().nullish(),
  reliability2: z.number().nullish(),
  // USD per GB.
  inet_up_cost: z.number().nullish(),
  inet_down_cost: z.number().nullish(),
  // Seconds since 1970.
  end_date: z.number().nullish(),
  is_bid: z.boolean().nullish(),
  rentable: z.boolean().nullish(),
  rented: z.boolean().nullish(),
  bw_nvlink: z.number().nullish(),
});

type Ask = z.output<typeof offerSchema>;

export const vast = builtInSource("vast", {
  scopes: { noun: "GPU", defaults: vastGpus },

  check: (response) => bodyOf(response, listSchema),

  *requests(context) {
    for (const gpu of context.settings.scopes ?? vastGpus) {
      yield* searches(gpu, context);
    }
  },

  *items(offers, replies, context) {
    const rows = listIn(replies, "bundles", listSchema);
    // An ask may be both among the cheapest and among the most expensive offers of its GPU.
    const seen = new Set<string | number | undefined>();
    yield* offers.items(
      rowsOf(rows, offerSchema, "offers"),
      (row) => {
        const isRepeated = row.id !== undefined && seen.has(row.id);
        seen.add(row.id);
        return isRepeated ? undefined : rowOf(row);
      },
      (row) => (row instanceof Rejection ? undefined : row.gpu_name),
    );
    yield* gaps(replies, limitOf(context));
  },
});

function limitOf({ secrets }: LiveContext): number {
  return (secrets["VAST_API_KEY"] ?? "") === "" ? ANONYMOUS_LIMIT : KEYED_LIMIT;
}

function* searches(gpu: string, context: LiveContext): StatedRequests {
  const limit = limitOf(context);
  const key = context.secrets["VAST_API_KEY"];
  for (const order of ["asc", "desc"]) {
    const query = {
      gpu_name: { eq: gpu },
      rentable: { eq: true },
      rented: { eq: false },
      type: "on-demand",
      order: [["dph_total", order]],
      limit,
    };
    const reply = yield {
      part: "bundles",
      scope: gpu,
      method: "POST",
      url: "https://console.vast.ai/api/v0/bundles/",
      alsoAt: ["GET bundles", "GET search/asks"],
      headers: { "content-type": "application/json", ...(key ? bearer(key) : {}) },
      body: JSON.stringify(query),
    };
    if (isFailure(reply) || bodyOf(reply, listSchema).length < limit) {
      return;
    }
  }
}

/** Lists the GPUs with more offers than two searches return. */
function* gaps(replies: readonly LiveReply[], limit: number): Generator<LiveItem> {
  const descending = responsesOf(replies, "bundles").filter(({ request }) => request.body?.includes('"desc"') === true);
  const cut = descending.filter((response) => bodyOf(response, listSchema).length >= limit);
  const names = cut.map(({ request }) => request.scope ?? "");
  if (names.length > 0) {
    const note = `Vast.ai returns at most ${limit} offers a search, so some between the cheapest and the most expensive ones of these GPUs are missing: ${names.join(", ")}.`;
    yield { kind: "note", where: "list", note };
  }
}

function rowOf(ask: Ask): LiveRow | Rejection {
  if (ask.is_bid === true) {
    return new Rejection("spot_only", `The offer of ${ask.gpu_name} is for interruptible rent only.`);
  }
  const maxGb = Math.floor(ask.disk_space);
  return {
    instanceType: `${ask.machine_id}:${ask.gpu_name}:${ask.num_gpus}`,
    region: regionOf(ask.geolocation ?? ""),
    regionIdentifies: false,
    gpu: { name: ask.gpu_name, count: ask.num_gpus, vramGb: ask.gpu_ram / 1024 },
    priceHourly: ask.dph_base,
    isAvailable: ask.rentable !== false && ask.rented !== true,
    vcpu: ask.cpu_cores_effective,
    ramGb: ask.cpu_ram == null ? null : ask.cpu_ram / 1024,
    disk: {
      kind: "chosen",
      pricePerGbMonth: ask.storage_cost,
      hoursPerMonth: HOURS_A_MONTH,
      minGb: Math.min(MIN_DISK_GB, maxGb),
      maxGb,
    },
    nvlink: (ask.bw_nvlink ?? 0) > 0,
    listing: {
      // The id of the ask, which one rents; it lives only as long as the ask.
      providerOfferId: ask.id === undefined ? null : String(ask.id),
      seller: ask.hosting_type == null ? null : ask.hosting_type >= 1 ? "partner" : "host",
      verified: ask.verification == null ? null : ask.verification === "verified",
      reliability: ask.reliability2,
      egressPerGB: ask.inet_up_cost,
      ingressPerGB: ask.inet_down_cost,
      rentableUntil: timeOf(ask.end_date),
      spot: spotTerms(ask.min_bid, "bid"),
    },
  };
}

/** `Montana, US`; the part before the country is optional. */
function regionOf(geolocation: string): string | null {
  const region = geolocation.replace(/^[,\s]+/, "").trim();
  return region === "" ? null : region;
}

/** ISO 8601 of seconds since 1970; null if no calendar has them. */
function timeOf(seconds: number | null | undefined): string | null {
  const isTime = seconds != null && seconds > 0 && seconds < Date.UTC(10_000) / 1000;
  return isTime ? new Date(Math.trunc(seconds) * 1000).toISOString() : null;
}
