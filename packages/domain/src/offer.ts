import { z } from "zod";
import { gpuSlugSchema } from "./gpu-slug.js";
import { fromMicros, isPrice, toMicros } from "./money.js";
import { providerNameSchema } from "./provider.js";
import { CONTINENTS, regionInfoSchema, UNKNOWN_REGION } from "./region.js";

/** Values of `deploymentType` that gpu-offers writes. Readers must accept others. */
export const DEPLOYMENT_TYPES = ["virtual", "container", "bare-metal"] as const;

const count = z.int().min(0);

/**
 * A rentable GPU instance: interface.md 2.1, field for field, as a reader takes it. New fields are
 * dropped, new values of the open fields (`deploymentType`, `interconnect`) pass.
 *
 * Prices are USD an hour; sizes are GB.
 */
export const offerSchema = z
  .object({
    id: z.uuid().describe("Offer identifier. It stays the same from one catalog to the next."),
    provider: z
      .object({
        name: z.string().describe("Equals `name` of one provider of GET /api/v1/providers."),
        slug: z.string(),
      })
      .describe("Who rents the instance out."),
    gpu: z
      .object({
        name: z.string().describe("Name as people write it."),
        slug: z.string().describe("GPU slug, the value of the `gpu` filter."),
        vramGB: z.int().min(1).describe("Memory of one GPU in GB."),
        architecture: z.string().describe("Vendor's name of the architecture."),
      })
      .describe("Model of each GPU."),
    gpuCount: z.int().min(1).describe("GPUs per instance."),
    region: z.string().describe("Region in the provider's own words."),
    regionInfo: regionInfoSchema,
    priceHourly: z.number().min(0).describe("USD an hour for the whole instance, disk not included."),
    pricePerGpu: z.number().min(0).describe("priceHourly / gpuCount, rounded to 6 decimals."),
    isAvailable: z.boolean().describe("Whether the offer can be rented now, as far as its source tells."),
    specs: z
      .object({
        vcpu: count.describe("Virtual CPUs; 0 when the source does not tell."),
        ram: count.describe("Memory in GB as the provider states it; 0 when the source does not tell."),
        disk: count.describe("Included disk in GB; information only, the storage rule decides what is charged."),
      })
      .describe("The machine around the GPUs."),
    storageCostPerGB: z.number().min(0).describe("USD an hour for each GB of the chosen disk."),
    storageMinGB: count.describe("Smallest disk that can be asked for, in GB."),
    storageMaxGB: count.describe("Largest disk that can be asked for, in GB."),
    costDataComplete: z.boolean().describe("False when a part of the cost is not known: read prices as 'at least'."),
    deploymentType: z.string().describe("virtual, container or bare-metal; more values may come."),
    nvlinkEnabled: z.boolean().describe("Whether NVLink joins the GPUs of the instance."),
    interconnect: z
      .union([z.null(), z.json()])
      .describe("Network between instances, such as 'InfiniBand 3200 Gbps'; null when there is none or it is unknown."),
  })
  .meta({ id: "Offer", description: "A rentable GPU instance." });

/** See {@link offerSchema}. */
export type Offer = z.infer<typeof offerSchema>;

const price = z.number().refine(isPrice, "must be a price from 0 with at most 6 decimals");
const text = z
  .string()
  .max(200)
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused here
  .regex(/^[^\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u, "must not hold control characters");

/**
 * An offer as gpu-offers publishes it: {@link offerSchema} with every rule that a catalog keeps.
 * Prices have at most 6 decimals, pricePerGpu follows from priceHourly, the disk bounds are in order, a
 * GPU slug and a continent are of their vocabularies, `interconnect` is null or a short text.
 */
export const publishedOfferSchema = z
  .strictObject({
    ...offerSchema.shape,
    id: z.uuid().refine((id) => id === id.toLowerCase(), "must be lower-case"),
    provider: z
      .strictObject({ name: providerNameSchema, slug: providerNameSchema })
      .refine((provider) => provider.name === provider.slug, "name and slug must be equal"),
    gpu: z.strictObject({
      name: text.min(1),
      slug: gpuSlugSchema,
      vramGB: z.int().min(1).max(100_000),
      architecture: text.min(1),
    }),
    gpuCount: z.int().min(1).max(999_999_999),
    region: text.min(1),
    regionInfo: z
      .strictObject({
        countryCode: z.string().regex(/^[A-Z]{2}$/, "must be two capital letters"),
        countryName: text.min(1),
        cityState: text,
        continent: z.enum([...CONTINENTS, UNKNOWN_REGION.continent]),
      })
      .refine(
        (info) => (info.countryCode === "ZZ") === (info.continent === UNKNOWN_REGION.continent),
        "countryCode ZZ and continent Unknown go together",
      ),
    priceHourly: price.refine((usd) => usd > 0, "must be above 0"),
    pricePerGpu: price,
    specs: z.strictObject(offerSchema.shape.specs.shape),
    storageCostPerGB: price,
    deploymentType: z.enum(DEPLOYMENT_TYPES),
    interconnect: text.min(1).nullable(),
  })
  .superRefine((offer, context) => {
    const expected = pricePerGpu(offer.priceHourly, offer.gpuCount);
    if (offer.pricePerGpu !== expected) {
      context.addIssue({
        code: "custom",
        path: ["pricePerGpu"],
        message: `must be priceHourly / gpuCount = ${expected}, not ${offer.pricePerGpu}`,
      });
    }
    if (offer.storageMinGB > offer.storageMaxGB) {
      context.addIssue({
        code: "custom",
        path: ["storageMinGB"],
        message: `must not be above storageMaxGB (${offer.storageMinGB} > ${offer.storageMaxGB})`,
      });
    }
  });

/**
 * Hourly price per GPU in USD: priceHourly / gpuCount, rounded to 6 decimals.
 * @throws RangeError when the price is not one (see {@link toMicros}).
 */
export function pricePerGpu(priceHourly: number, gpuCount: number): number {
  return fromMicros(Math.round(toMicros(priceHourly) / gpuCount));
}

