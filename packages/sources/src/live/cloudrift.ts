import * as z from "zod";
import { builtInSource } from "./built-in-source.js";
import { inPlaces, type LiveMachine } from "./live-offers.js";
import { listIn, listUnder, nameSchema, nestedRowsOf, rowsOf, sizeSchema } from "./response.js";

// https://docs.cloudrift.ai: types by brand, each with variants and the number of free nodes in each data center.

const bodySchema = z.union([
  z.object({ data: listUnder("instance_types") }).transform(({ data }) => data),
  listUnder("instance_types", ""),
]);

const typeSchema = z.object({
  name: z.string().nullish(),
  brand_short: z.string().nullish(),
  variants: z.array(z.unknown()),
});
const variantSchema = z.object({
  name: nameSchema,
  // US cents.
  cost_per_hour: z.number().min(0),
  gpu_count: z.number().min(0).nullish(),
  cpu_count: sizeSchema,
  // Bytes; vram is of all GPUs together.
  dram: sizeSchema,
  disk: sizeSchema,
  vram: sizeSchema,
  // All nodes, and the free ones, which older responses omit.
  nodes_per_dc: z.record(nameSchema, z.number().min(0)).nullish(),
  available_nodes_per_dc: z.record(nameSchema, z.number().min(0)).nullish(),
});
type Variant = z.output<typeof variantSchema>;

export const cloudrift = builtInSource("cloudrift", {
  requests: [
    {
      part: "instance-types",
      method: "POST",
      url: "https://api.cloudrift.ai/api/v1/instance-types/list",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        version: "2025-03-21",
        data: { selector: { ByServiceAndLocation: { services: ["vm"] } } },
      }),
    },
  ],

  items(offers, replies) {
    const types = listIn(replies, "instance-types", bodySchema);
    return offers.each(rowsOf(types, typeSchema, "instance_types"), (type, where) => {
      const brand = type.brand_short ?? type.name ?? "";
      return offers.items(nestedRowsOf(type.variants, variantSchema, `${where}.variants`), (variant) =>
        (variant.gpu_count ?? 0) === 0 ? undefined : inPlaces(rowOf(brand, variant), placesOf(variant)),
      );
    });
  },
});

/** Words that clouds use for parts of the world, although they are also country codes in ISO 3166 (na: Namibia). */
const CONTINENTS: ReadonlySet<string> = new Set(["af", "ap", "as", "eu", "me", "na", "oc", "sa"]);

function placesOf({ nodes_per_dc: all, available_nodes_per_dc: free }: Variant) {
  return Object.entries(all ?? {}).map(([region, nodes]) => ({
    region,
    place: { countryCode: countryIn(region) },
    isAvailable: (free == null ? nodes : (free[region] ?? 0)) > 0,
    // Without a number of free nodes, those that exist are a list.
    availability: free == null ? ("listed" as const) : undefined,
    stockLevel: free == null ? null : (free[region] ?? 0),
  }));
}

/** Data center names start with a country: `us-east-nc-nr-1`. Some start with a continent instead. */
function countryIn(region: string): string | undefined {
  const [, code = ""] = /^([a-z]{2})-/.exec(region) ?? [];
  return code === "" || CONTINENTS.has(code) ? undefined : code;
}

function rowOf(brand: string, variant: Variant): LiveMachine {
  const gib = (bytes: number | null | undefined) => (bytes == null || bytes === 0 ? undefined : bytes / 1024 ** 3);
  return {
    instanceType: variant.name,
    gpu: { name: brand, count: variant.gpu_count ?? undefined, totalVramGb: gib(variant.vram) },
    priceHourly: variant.cost_per_hour / 100,
    vcpu: variant.cpu_count,
    ramGb: gib(variant.dram),
    disk: { kind: "included", sizeGb: gib(variant.disk) ?? 0 },
    listing: { instanceType: variant.name },
  };
}
