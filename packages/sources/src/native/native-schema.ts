import {
  DEPLOYMENT_TYPES,
  offerSchema,
  plainTextSchema,
  priceSchema,
  publishedOsImageSchema,
  publishedProviderSchema,
  statedFactsSchema,
} from "@gpu-offers/domain";
import * as z from "zod";
import { asOfSchema } from "../as-of.js";

// The native format as specified in docs/native-format.md. Every object is strict: a misspelled field must not lead to an
// incorrect offer. Rules for every published offer are not repeated here; they are checked once the offer is
// complete.

/** Value of `format` in the only version so far. */
export const NATIVE_FORMAT = "gpu-offers/1";

/** Metadata of a native source. */
export const nativeHeaderSchema = z.strictObject({
  format: z.literal(NATIVE_FORMAT),
  asOf: asOfSchema,
  note: z.string().exactOptional(),
  /** Number of offers in the file, so that a truncated file is detected. */
  offerCount: z.int().min(0).exactOptional(),
});

/** The JSON document; its providers and offers are checked one by one. */
export const nativeDocumentSchema = nativeHeaderSchema.extend({
  providers: z.array(z.unknown()),
  offers: z.array(z.unknown()).default([]),
});

const sizeGb = z.int().min(0);

const storageSchema = z
  .strictObject({ costPerGB: priceSchema, minGB: sizeGb, maxGB: sizeGb })
  .refine(({ minGB, maxGB }) => minGB <= maxGB, "minGB must not be above maxGB");

/** Storage terms: USD per GB and hour, minimum and maximum disk in GB. */
export type NativeStorage = z.infer<typeof storageSchema>;

const imageSchema = publishedOsImageSchema.safeExtend({
  instanceTypes: z.array(plainTextSchema.min(1)).exactOptional(),
});

/** A provider with its images. */
export const nativeProviderSchema = z
  .strictObject({
    ...publishedProviderSchema.shape,
    asOf: asOfSchema.nullable().exactOptional(),
    /** Its offers are a sample, not for sale. */
    sample: z.literal(true).exactOptional(),
    storage: storageSchema.exactOptional(),
    images: z.array(imageSchema).exactOptional(),
  })
  .superRefine(({ images = [] }, context) => {
    const problem = (message: string) => context.addIssue({ code: "custom", path: ["images"], message });
    const defaults = images.filter((image) => image.isDefault).length;
    if (images.length > 0 && defaults !== 1) {
      problem(`exactly one image must have isDefault true, not ${defaults}`);
    }
    for (const field of ["id", "slug"] as const) {
      if (new Set(images.map((image) => image[field])).size < images.length) {
        problem(`two images have the same ${field}`);
      }
    }
  });

/** See {@link nativeProviderSchema}. */
export type NativeProvider = z.infer<typeof nativeProviderSchema>;

const { shape } = offerSchema;

/** An offer as in the format, with the defaults that don't depend on other fields. */
export const nativeOfferSchema = z
  .strictObject({
    provider: z.union([z.string(), z.strictObject(shape.provider.shape)]),
    instanceType: plainTextSchema.min(1).optional(),
    id: z.string().optional(),
    gpu: z.union([z.string(), z.strictObject(shape.gpu.shape)]),
    gpuCount: shape.gpuCount,
    region: shape.region,
    countryCode: z.string().optional(),
    cityState: z.string().optional(),
    regionInfo: z.strictObject(shape.regionInfo.shape).optional(),
    priceHourly: priceSchema,
    pricePerGpu: priceSchema.optional(),
    isAvailable: z.boolean().default(true),
    specs: z.strictObject(shape.specs.shape),
    storage: storageSchema.optional(),
    storageCostPerGB: priceSchema.optional(),
    storageMinGB: sizeGb.optional(),
    storageMaxGB: sizeGb.optional(),
    costDataComplete: z.boolean().optional(),
    deploymentType: z.enum(DEPLOYMENT_TYPES).optional(),
    nvlinkEnabled: z.boolean().optional(),
    interconnect: z.string().nullable().default(null),
    listing: statedFactsSchema.optional(),
  })
  .superRefine((offer, context) => {
    const problem = (message: string) => context.addIssue({ code: "custom", message });
    if (offer.id === undefined && offer.instanceType === undefined) {
      problem("instanceType is required if there is no id");
    }
    if (offer.regionInfo !== undefined && (offer.countryCode ?? offer.cityState) !== undefined) {
      problem("regionInfo replaces countryCode and cityState; set only one of them");
    }
    const flat = [offer.storageCostPerGB, offer.storageMinGB, offer.storageMaxGB].filter((term) => term !== undefined);
    if (flat.length > 0 && (flat.length < 3 || offer.storage !== undefined)) {
      problem("set all of storageCostPerGB, storageMinGB and storageMaxGB, or storage instead");
    }
  });

/** See {@link nativeOfferSchema}. */
export type NativeOffer = z.infer<typeof nativeOfferSchema>;
