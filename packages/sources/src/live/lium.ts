import * as z from "zod";
import { builtInSource } from "./built-in-source.js";
import type { LiveRow } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { listUnder, matchingRows, nameSchema, rowsIn, sizeSchema } from "./response.js";
import { tierRejection } from "./terms.js";

// https://lium.io: a market of hosts. Its older list has prices per GPU (executors), the newer one per node (nodes).

const bodySchema = listUnder("", "nodes", "executors");

const positiveCount = z.int().min(0);

const executorSchema = z
  .object({
    id: nameSchema,
    machine_name: nameSchema,
    // USD per GPU and hour.
    price_per_gpu: z.number().min(0),
    gpu_count: positiveCount,
    available_gpu_count: positiveCount,
    min_gpu_count_for_rental: positiveCount.nullish(),
    tier: z.string().nullish(),
    specs: z.object({ is_spot: z.boolean().nullish() }).nullish(),
    location: z
      .object({ country_code: z.string().nullish(), region_name: z.string().nullish(), city: z.string().nullish() })
      .nullish(),
  })
  .transform((row) => ({
    id: row.id,
    gpu: { name: row.machine_name, unclearVramGb: undefined },
    pricePerGpu: row.price_per_gpu,
    count: row.gpu_count,
    free: row.available_gpu_count,
    least: row.min_gpu_count_for_rental ?? 0,
    tier: row.specs?.is_spot === true ? "spot" : row.tier,
    country: row.location?.country_code ?? "",
    state: row.location?.region_name ?? "",
    city: row.location?.city ?? "",
    // What the whole host has; only the newer list states it.
    machine: undefined,
  }));
const nodeSchema = z
  .object({
    id: nameSchema.nullish(),
    node_id: nameSchema.nullish(),
    gpu_model: nameSchema,
    gpu_count: z.int().min(1),
    available_gpu_count: positiveCount,
    min_rentable_gpu_count: positiveCount.nullish(),
    // USD per hour of one GPU, and of the whole node.
    price_per_gpu_hour: z.number().min(0).nullish(),
    price_per_node_hour: z.number().min(0),
    tier: z.string().nullish(),
    country_code: z.string().nullish(),
    city: z.string().nullish(),
    // Of the whole node, in GB; the memory is of one GPU.
    cpu_count: sizeSchema,
    ram_gb: sizeSchema,
    disk_gb: sizeSchema,
    gpu_memory_gb: sizeSchema,
  })
  .transform((row) => ({
    id: row.id ?? row.node_id ?? "",
    gpu: { name: row.gpu_model, unclearVramGb: row.gpu_memory_gb || undefined },
    pricePerGpu: row.price_per_gpu_hour ?? row.price_per_node_hour / row.gpu_count,
    count: row.gpu_count,
    free: row.available_gpu_count,
    least: row.min_rentable_gpu_count ?? 0,
    tier: row.tier,
    country: row.country_code ?? "",
    state: "",
    city: row.city ?? "",
    machine: { vcpu: row.cpu_count, ramGb: row.ram_gb, diskGb: row.disk_gb },
  }));

const hostSchema = z.union([executorSchema, nodeSchema]);
type Host = z.output<typeof hostSchema>;

export const lium = builtInSource("lium", {
  requests: [
    { part: "executors", url: "https://lium.io/api/executors", alsoAt: ["GET public/nodes"] },
    { part: "nodes", main: false, url: "https://lium.io/api/public/v1/nodes" },
  ],

  items(offers, replies) {
    const machines = machinesIn(replies);
    return offers.items(rowsIn(replies, "executors", bodySchema, hostSchema), (row) =>
      row.count === 0
        ? undefined
        : (tierRejection(row.tier, "The host") ?? rowsOfHost(row, row.machine ?? machines.get(row.id))),
    );
  },
});

/** What the newer list states about the machines of hosts, by id; both lists have the same ids. */
function machinesIn(replies: readonly LiveReply[]): ReadonlyMap<string, Host["machine"]> {
  const hosts = matchingRows(rowsIn(replies, "nodes", bodySchema, hostSchema));
  return new Map(hosts.filter(({ machine }) => machine).map(({ id, machine }) => [id, machine]));
}

/** All free GPUs of a host, and the minimum that it rents out if stated. */
function rowsOfHost(host: Host, whole: Host["machine"]): LiveRow[] {
  const { free, least, country, state, city } = host;
  const counts = free === 0 ? [host.count] : [least, free].filter((count) => count >= 1 && count <= free);
  return [...new Set(counts)].map((count) => {
    // A part of a host has a part of its machine, and none of the lists says which.
    const machine = count === host.count ? whole : undefined;
    return {
      instanceType: `${host.id}:${count}x ${host.gpu.name}`,
      region: [city, state, country].filter((part) => part !== "").join(", ") || null,
      place: { countryCode: country, city },
      regionIdentifies: false,
      gpu: { ...host.gpu, count },
      priceHourly: host.pricePerGpu * count,
      isAvailable: free > 0 && free >= least,
      stockLevel: `${free} of ${host.count} GPUs`,
      vcpu: machine?.vcpu,
      ramGb: machine?.ramGb,
      listing: { providerOfferId: host.id, seller: "host" },
      disk: { kind: "unpriced", sizeGb: machine?.diskGb ?? 0 },
    };
  });
}
