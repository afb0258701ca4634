import * as z from "zod";
import type { LiveMachine } from "./live-offers.js";
import { listOf, nameSchema } from "./response.js";

// RunPod's GPU types, as both of its APIs list them, and what a machine of one is.

/** Instance sizes to list, up to the maximum of a type; the price is proportional. */
export const COUNTS = [1, 2, 4, 8];

/** Values of stockStatus that mean some are available. */
export const IN_STOCK = /^(?:high|medium|low)$/i;

/** The clouds, and the form of a scope: `secure US-KS-2`, `community US`. */
export const CLOUDS = ["secure", "community"] as const;
export type Cloud = (typeof CLOUDS)[number];

export const typeSchema = z.object({
  id: nameSchema,
  // GB of one GPU.
  memoryInGb: z.number().min(0),
  maxGpuCount: z.int().min(0).nullish(),
  maxGpuCountSecureCloud: z.int().min(0).nullish(),
  maxGpuCountCommunityCloud: z.int().min(0).nullish(),
  secureCloud: z.boolean(),
  communityCloud: z.boolean(),
  // USD per GPU and hour; 0 if it is not offered.
  securePrice: z.number().nullable(),
  communityPrice: z.number().nullable(),
});
/** A GPU type of either API. */
export type GpuType = Omit<z.output<typeof typeSchema>, "maxGpuCount"> & { maxGpuCount?: number | null | undefined };

// The REST API (v2) has the same facts under other names, and the data centers of each type.
const priceSchema = z.number().min(0).nullish();
export const restTypeSchema = z
  .object({
    id: nameSchema,
    memory: z.number().min(0),
    secure: z.boolean().nullish(),
    community: z.boolean().nullish(),
    price: z.object({ secure: priceSchema, community: priceSchema }),
    maxCount: z.object({ secure: z.int().min(0).nullish(), community: z.int().min(0).nullish() }).nullish(),
    availability: z.string().nullish(),
    dataCenters: listOf(z.object({ id: nameSchema, availability: z.string().nullish() })),
  })
  .transform(({ id, memory, secure, community, price, maxCount, availability, dataCenters }) => ({
    id,
    availability,
    dataCenters,
    memoryInGb: memory,
    maxGpuCountSecureCloud: maxCount?.secure,
    maxGpuCountCommunityCloud: maxCount?.community,
    secureCloud: secure ?? true,
    communityCloud: community ?? true,
    securePrice: price.secure ?? null,
    communityPrice: price.community ?? null,
  }));

/** A GPU type of the REST API. */
export type RestType = z.output<typeof restTypeSchema>;

/** The errors of a GraphQL response, of which there must be none. */
export const noErrors = z.array(z.unknown()).max(0, "must be empty").nullish();
/** A list of types in the form of either API. */
export const typesBody = z.union([
  z.object({
    errors: noErrors,
    data: z.object({
      gpuTypes: z.array(z.unknown()),
      dataCenters: z.array(z.object({ id: nameSchema, listed: z.boolean().nullish() })).nullish(),
      countryCodes: z.array(nameSchema).nullish(),
    }),
  }),
  z
    .object({ gpus: z.array(z.unknown()) })
    .transform(({ gpus }) => ({ data: { gpuTypes: gpus, dataCenters: [], countryCodes: [] } })),
  z.array(z.unknown()).transform((gpuTypes) => ({ data: { gpuTypes, dataCenters: [], countryCodes: [] } })),
]);

/** Sizes in which a type is sold. */
export function countsOf(type: GpuType, cloud: Cloud): number[] {
  const maximum = cloud === "secure" ? type.maxGpuCountSecureCloud : type.maxGpuCountCommunityCloud;
  const most = maximum ?? type.maxGpuCount ?? 1;
  return COUNTS.filter((count) => count <= Math.max(1, most));
}

/** A machine of a type, wherever it is. */
export function rowOf(type: GpuType, cloud: Cloud, count: number): LiveMachine {
  return {
    instanceType: `${count}x ${type.id} (${cloud})`,
    gpu: { name: type.id, count, vramGb: type.memoryInGb || undefined },
    priceHourly: (type[`${cloud}Price`] ?? 0) * count,
    disk: { kind: "unpriced" },
    // The minimum bid is always the on-demand price, so there is no spot market.
    listing: { instanceType: type.id, seller: cloud === "secure" ? "partner" : "host" },
  };
}
