import * as z from "zod";
import type { SourceImage } from "../source-item.js";
import { builtInSource } from "./built-in-source.js";
import { bearer } from "./define-source.js";
import { liveImages } from "./live-images.js";
import { inRegions, type LiveMachine } from "./live-offers.js";
import type { LiveReply } from "./live-source.js";
import { bodiesOf, listOf, listUnder, matchingRows, nameSchema, rowsIn, rowsOf, sizeSchema } from "./response.js";

// https://docs.lambda.ai/api/cloud: types by name, each with the regions that currently have capacity.

const mapSchema = z.union([
  z.object({ data: z.record(z.string(), z.unknown()) }).transform(({ data }) => data),
  z.record(z.string(), z.unknown()),
  z.array(z.unknown()),
]);

const typeSchema = z.object({
  instance_type: z.object({
    name: nameSchema,
    description: z.string().nullish(),
    gpu_description: z.string().nullish(),
    // A price in dollars would have a fraction and is rejected here.
    price_cents_per_hour: z.int().min(0),
    architecture: z.string().nullish(),
    specs: z.object({
      vcpus: sizeSchema,
      memory_gib: sizeSchema,
      storage_gib: sizeSchema,
      gpus: z.int().min(0).nullish(),
    }),
  }),
  regions_with_capacity_available: listOf(z.object({ name: nameSchema })),
});
type InstanceType = z.output<typeof typeSchema>["instance_type"];

const imageSchema = z.object({ name: z.string().nullish(), family: nameSchema, architecture: z.string().nullish() });

export const lambda = builtInSource("lambda", {
  auth: bearer,
  requests: [{ part: "instance-types", url: "https://cloud.lambda.ai/api/v1/instance-types" }],
  images: { part: "images", url: "https://cloud.lambda.ai/api/v1/images", read: imagesIn },

  items: (offers, replies) =>
    offers.items(typesIn(replies), ({ instance_type: type, regions_with_capacity_available: places }) => {
      const count = countOf(type);
      const regions = places.map(({ name }) => name);
      return count === 0 ? undefined : inRegions(rowOf(type, count), regions);
    }),
});

function typesIn(replies: readonly LiveReply[]) {
  const types = bodiesOf(replies, "instance-types", mapSchema).flatMap((body) => Object.values(body));
  return rowsOf(types, typeSchema, "instance-types");
}

/**
 * Images by family, because ids differ by region and one may pass either. An image for one architecture fits the types that
 * have it.
 */
function imagesIn(replies: readonly LiveReply[]): SourceImage[] {
  const machines = matchingRows(typesIn(replies)).map((row) => row.instance_type);
  const images = matchingRows(rowsIn(replies, "images", listUnder("data"), imageSchema));
  const isRestricted = machines.some((machine) => machine.architecture != null);
  return liveImages(
    images.map(({ family, name, architecture }) => {
      const types = machines.filter((machine) => machine.architecture === architecture).map((machine) => machine.name);
      return { id: family, name, instanceTypes: isRestricted && architecture != null ? types : undefined };
    }),
  );
}

/** GPU count of a type; for responses without it, the count in the name: gpu_8x_h100_sxm5. */
function countOf({ name, specs }: InstanceType): number {
  return specs.gpus ?? Number(/^gpu_(\d{1,2})x_/.exec(name)?.[1] ?? 0);
}

function rowOf(type: InstanceType, count: number): LiveMachine {
  const { vcpus, memory_gib: ramGb, storage_gib: diskGb } = type.specs;
  return {
    instanceType: type.name,
    gpu: { name: gpuNameOf(type), count },
    priceHourly: type.price_cents_per_hour / 100,
    vcpu: vcpus,
    ramGb,
    disk: { kind: "included", sizeGb: diskGb ?? 0 },
    listing: { instanceType: type.name, seller: "cloud" },
  };
}

/** `A100 (40 GB SXM4)`; old responses have it only in the description, after the count. */
function gpuNameOf({ description, gpu_description: gpu }: InstanceType): string {
  return gpu ?? description?.replace(/^\d+x /, "") ?? "";
}
