import * as z from "zod";
import { builtInSource } from "./built-in-source.js";
import { imagesOfTypes } from "./live-images.js";
import { inPlaces, type LiveMachine, type LiveRow } from "./live-offers.js";
import { listIn, listOf, listUnder, matchingRows, nameSchema, rowsOf, sizeSchema } from "./response.js";
import { machineNamed } from "./terms.js";

// https://docs.shadeform.ai/api-reference/instances/instances-types: a reseller of some twenty clouds. All offers are
// listed as its own, so that they never mix with those of the clouds.

const typeSchema = z.object({
  cloud: nameSchema,
  shade_instance_type: nameSchema,
  // US cents. A price in dollars would have a fraction and is rejected here.
  hourly_price: z.int().min(0),
  deployment_type: z.string().nullish(),
  boot_time: z.object({ min_boot_in_sec: sizeSchema, max_boot_in_sec: sizeSchema }).nullish(),
  configuration: z.object({
    num_gpus: z.int().min(0),
    gpu_type: z.string(),
    interconnect: z.string().nullish(),
    memory_in_gb: sizeSchema,
    vram_per_gpu_in_gb: sizeSchema,
    vcpus: sizeSchema,
    storage_in_gb: sizeSchema,
    nvlink: z.boolean().nullish(),
    os_options: listOf(z.string()),
  }),
  availability: listOf(z.object({ region: nameSchema, available: z.boolean(), display_name: z.string().nullish() })),
});
type InstanceType = z.output<typeof typeSchema>;

export const shadeform = builtInSource("shadeform", {
  auth: (key) => ({ "x-api-key": key }),
  requests: [{ part: "types", url: "https://api.shadeform.ai/v1/instances/types" }],

  *items(offers, replies) {
    const rows = listIn(replies, "types", listUnder("instance_types", ""));
    const types = rowsOf(rows, typeSchema, "instance_types");
    // Clouds that share a type share its images.
    const withGpus = matchingRows(types).filter(({ configuration }) => configuration.num_gpus > 0);
    const images = withGpus.map((type) => [type.shade_instance_type, type.configuration.os_options] as const);
    yield offers.providerItem(undefined, imagesOfTypes(images));
    yield* offers.items(types, (row) => {
      const places = row.availability.map(({ region, available: isAvailable, display_name: shown }) => ({
        region,
        place: placeOf(shown ?? ""),
        isAvailable,
      }));
      return row.configuration.num_gpus === 0 ? undefined : inPlaces(rowOf(row), places);
    });
  },
});

/** `US, Wichita, KS`: country, city, state. */
function placeOf(shown: string): LiveRow["place"] {
  const [, countryCode, city] = /^([A-Z]{2}), ?([^,]+)/.exec(shown) ?? [];
  return countryCode === undefined ? undefined : { countryCode, city };
}

function rowOf(type: InstanceType): LiveMachine {
  const { configuration: machine, boot_time: boot } = type;
  const [min, max] = [boot?.min_boot_in_sec, boot?.max_boot_in_sec];
  return {
    instanceType: `${type.cloud}_${type.shade_instance_type}`,
    gpu: {
      name: machine.gpu_type,
      // Sockets such as sxm5 or pcie determine the form of the card.
      otherNames: machine.interconnect == null ? [] : [`${machine.gpu_type} ${machine.interconnect}`],
      count: machine.num_gpus,
      vramGb: machine.vram_per_gpu_in_gb || undefined,
    },
    priceHourly: type.hourly_price / 100,
    vcpu: machine.vcpus,
    ramGb: machine.memory_in_gb,
    disk: { kind: "included", sizeGb: machine.storage_in_gb ?? 0 },
    nvlink: machine.nvlink === true,
    // Rented with the cloud and the region beside it.
    listing: {
      instanceType: type.shade_instance_type,
      toolNames: { sky: skyName(type) },
      seller: "partner",
      bootSeconds: min == null || max == null ? null : { min, max },
    },
    type: machineNamed(type.deployment_type ?? ""),
  };
}

/** SkyPilot's name (sky/catalog/data_fetchers/fetch_shadeform.py): the cloud, and the type with hyphens and GB for G. */
function skyName({ cloud, shade_instance_type: type }: InstanceType): string {
  return `${cloud}_${type.replaceAll("_", "-")}`.replace(/G$/, "GB").replaceAll("Gx", "GBx");
}
