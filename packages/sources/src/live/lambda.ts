import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers, type LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply, LiveSource } from "./live-source.js";
import { bodyOf, listOf, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

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

export const lambda: LiveSource = {
  name: "lambda",
  title: "Lambda",
  homepage: "https://lambda.ai",
  type: "vm",
  kind: "list",
  secrets: ["LAMBDA_API_KEY"],
  optionalSecrets: [],
  hosts: ["cloud.lambda.ai", "cloud.lambdalabs.com"],
  intervalSeconds: 600,
  maxBytes: 4 * 1024 * 1024,
  spacingMs: 1000,
  stock: "live",
  verified: true,
  currency: "USD",
  mayBeEmpty: false,
  scopes: null,
  terms: "The provider's API, for its customers; one request per second.",
  includes: "price, stock by region, vCPUs, memory, included disk",
  omits: "regions where a type is sold out",
  unit: "US cents per hour, whole instance",

  *requests({ secrets }) {
    yield {
      part: "instance-types",
      main: true,
      method: "GET",
      url: "https://cloud.lambda.ai/api/v1/instance-types",
      headers: { authorization: `Bearer ${secrets["LAMBDA_API_KEY"] ?? ""}` },
    };
  },

  read(replies, context) {
    return uniqueOffers(items(new LiveOffers(lambda, context), replies));
  },
};

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const types = responsesOf(replies, "instance-types").flatMap((response) =>
    Object.values(bodyOf(response, mapSchema)),
  );
  yield offers.providerItem();
  for (const { where, row } of rowsOf(types, typeSchema, "instance-types")) {
    if (row instanceof Rejection) {
      yield offers.item(where, row);
      continue;
    }
    const { instance_type: type, regions_with_capacity_available: regions } = row;
    const count = countOf(type);
    if (count === 0) {
      yield { kind: "skipped", where };
    } else if (regions.length === 0) {
      yield offers.item(where, { ...rowOf(type, count), region: null, isAvailable: false });
    } else {
      for (const { name } of regions) {
        yield offers.item(where, { ...rowOf(type, count), region: name, isAvailable: true });
      }
    }
  }
}

/** GPU count of a type; for responses without it, the count in the name: gpu_8x_h100_sxm5. */
function countOf({ name, specs }: InstanceType): number {
  return specs.gpus ?? Number(/^gpu_(\d{1,2})x_/.exec(name)?.[1] ?? 0);
}

function rowOf(type: InstanceType, count: number): Omit<LiveRow, "region" | "isAvailable"> {
  const { vcpus, memory_gib: ramGb, storage_gib: diskGb } = type.specs;
  return {
    instanceType: type.name,
    gpu: { name: gpuNameOf(type), count },
    priceHourly: type.price_cents_per_hour / 100,
    vcpu: vcpus,
    ramGb,
    disk: { kind: "included", sizeGb: diskGb ?? 0 },
  };
}

/** `A100 (40 GB SXM4)`; old responses have it only in the description, after the count. */
function gpuNameOf({ description, gpu_description: gpu }: InstanceType): string {
  return gpu ?? description?.replace(/^\d+x /, "") ?? "";
}
