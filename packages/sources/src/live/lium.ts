import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers, type LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply, LiveSource } from "./live-source.js";
import { bodyOf, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";
import { tierRejection } from "./terms.js";

// https://lium.io: a market of hosts. Its older list has prices per GPU (executors), the newer one per node (nodes).

const bodySchema = z.union([
  z.array(z.unknown()),
  z.object({ nodes: z.array(z.unknown()) }).transform(({ nodes }) => nodes),
  z.object({ executors: z.array(z.unknown()) }).transform(({ executors }) => executors),
]);

const executorSchema = z
  .object({
    id: nameSchema,
    machine_name: nameSchema,
    // USD per GPU and hour.
    price_per_gpu: z.number().min(0),
    gpu_count: z.int().min(0),
    available_gpu_count: z.int().min(0),
    min_gpu_count_for_rental: z.int().min(0).nullish(),
    tier: z.string().nullish(),
    specs: z.object({ is_spot: z.boolean().nullish() }).nullish(),
    location: z
      .object({ country_code: z.string().nullish(), region_name: z.string().nullish(), city: z.string().nullish() })
      .nullish(),
  })
  .transform((row) => ({ kind: "executor" as const, ...row }));
const nodeSchema = z
  .object({
    id: nameSchema.nullish(),
    node_id: nameSchema.nullish(),
    gpu_model: nameSchema,
    gpu_count: z.int().min(0),
    available_gpu_count: z.int().min(0),
    // USD per hour for the whole node.
    price_per_node_hour: z.number().min(0),
    tier: z.string().nullish(),
    country_code: z.string().nullish(),
    cpu_count: sizeSchema,
    ram_gb: sizeSchema,
    gpu_memory_gb: sizeSchema,
  })
  .transform((row) => ({ kind: "node" as const, ...row }));
type Executor = z.output<typeof executorSchema>;
type Node = z.output<typeof nodeSchema>;

export const lium: LiveSource = {
  name: "lium",
  title: "Lium",
  homepage: "https://lium.io",
  type: "container",
  kind: "marketplace",
  secrets: [],
  optionalSecrets: [],
  hosts: ["lium.io"],
  intervalSeconds: 600,
  maxBytes: 16 * 1024 * 1024,
  spacingMs: 1000,
  stock: "live",
  verified: true,
  currency: "USD",
  mayBeEmpty: false,
  scopes: null,
  terms: "The market's public API, readable without a key.",
  includes: "price, free GPUs of each host, place",
  omits: "disk, NVLink",
  unit: "USD per hour of one GPU",

  *requests() {
    yield {
      part: "executors",
      main: true,
      method: "GET",
      url: "https://lium.io/api/executors",
      alsoAt: ["GET public/nodes"],
    };
  },

  read(replies, context) {
    return uniqueOffers(items(new LiveOffers(lium, context), replies));
  },
};

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const rows = responsesOf(replies, "executors").flatMap((response) => bodyOf(response, bodySchema));
  yield offers.providerItem();
  for (const { where, row } of rowsOf(rows, z.union([executorSchema, nodeSchema]), "executors")) {
    if (row instanceof Rejection) {
      yield offers.item(where, row);
    } else if (row.gpu_count === 0) {
      yield { kind: "skipped", where };
    } else {
      for (const offer of rowsOfHost(row)) {
        yield offers.item(where, offer);
      }
    }
  }
}

function rowsOfHost(host: Executor | Node): Iterable<LiveRow | Rejection> {
  const tier = host.kind === "executor" && host.specs?.is_spot === true ? "spot" : host.tier;
  const rejection = tierRejection(tier, "The host");
  if (rejection !== undefined) {
    return [rejection];
  }
  return host.kind === "node" ? [nodeRow(host)] : executorRows(host);
}

/** All free GPUs of a host, and the minimum that it rents out if stated. */
function* executorRows(host: Executor): Generator<LiveRow> {
  const free = host.available_gpu_count;
  const least = host.min_gpu_count_for_rental ?? 0;
  const counts = free === 0 ? [host.gpu_count] : [least, free].filter((count) => count >= 1 && count <= free);
  const { country_code: country, region_name: state, city } = host.location ?? {};
  for (const count of new Set(counts)) {
    yield {
      instanceType: `${host.id}:${count}x ${host.machine_name}`,
      region: [city, state, country].filter((part) => part != null && part !== "").join(", ") || null,
      place: { countryCode: country ?? undefined, city: city ?? undefined },
      regionIdentifies: false,
      gpu: { name: host.machine_name, count },
      priceHourly: host.price_per_gpu * count,
      isAvailable: free > 0 && free >= least,
      disk: { kind: "unpriced" },
    };
  }
}

/** A whole node; unavailable while a part of it is rented out. */
function nodeRow(node: Node): LiveRow {
  const country = node.country_code ?? undefined;
  return {
    instanceType: `${node.id ?? node.node_id ?? ""}:${node.gpu_count}x ${node.gpu_model}`,
    region: country ?? null,
    place: { countryCode: country },
    gpu: {
      name: node.gpu_model,
      count: node.gpu_count,
      unclearVramGb: node.gpu_memory_gb == null || node.gpu_memory_gb === 0 ? undefined : node.gpu_memory_gb,
    },
    priceHourly: node.price_per_node_hour,
    isAvailable: node.available_gpu_count === node.gpu_count,
    vcpu: node.cpu_count,
    ramGb: node.ram_gb,
    disk: { kind: "unpriced" },
  };
}
