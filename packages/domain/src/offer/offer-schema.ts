import * as z from "zod";
import { gpuSlugSchema } from "../gpu/gpu-slug-schema.js";
import { priceSchema, usdSchema } from "../money/money-schema.js";
import { isPrice, MAX_PRICE, toMicros } from "../money/money.js";
import { DEPLOYMENT_TYPES, pricePerGpu } from "./offer.js";
import { plainTextSchema } from "../text/plain-text-schema.js";
import { providerNameSchema } from "../provider/provider-schema.js";
import { regionInfoSchema } from "../place/region-schema.js";
import { CONTINENTS } from "../place/continent.js";
import { UNKNOWN_REGION } from "../place/region.js";
import { hourlyCostMicros } from "./hourly-cost.js";

/**
 * A JSON value; null if there is no network between instances, or it is unknown. Catalogs of this project have null or
 * a short text.
 */
export type Interconnect = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };

const count = z.int().min(0);

/** Maximum length of texts that readers accept; catalogs publish up to 200 characters. */
const text = z.string().max(2000);

// Any JSON value. z.json() walks the value and overflows the stack on one that is nested deeply.
const interconnectSchema: z.ZodType<Interconnect> = z
  .unknown()
  .refine((value): value is Interconnect => value !== undefined, "is required; it may be null");

/**
 * A rentable GPU instance for readers, with exactly the API's fields. New fields are dropped, new values of open
 * fields (`deploymentType`, `interconnect`, `continent`) are accepted.
 *
 * Prices are USD per hour; sizes are GB. No filter, order or cost throws for a valid offer.
 */
export const offerSchema = z
  .object({
    id: z.guid().describe("Offer identifier. It stays the same when the catalog changes."),
    provider: z
      .object({
        name: text.describe("Equals `name` of one provider of GET /api/v1/providers."),
        slug: text.describe("The same as `name`."),
      })
      .meta({ id: "OfferProvider", description: "The provider of the instance." }),
    gpu: z
      .object({
        name: text.describe("Display name."),
        slug: text.describe("GPU slug, the value of the `gpu` filter."),
        vramGB: z.int().min(1).describe("Memory of one GPU in GB."),
        architecture: text.describe("Architecture, as named by the vendor."),
      })
      .meta({ id: "Gpu", description: "Model of each GPU." }),
    gpuCount: z.int().min(1).describe("GPUs per instance."),
    region: text.describe("Region, as named by the provider."),
    regionInfo: regionInfoSchema,
    priceHourly: usdSchema.describe("Price of the whole instance in USD per hour, without the disk."),
    pricePerGpu: usdSchema.describe("priceHourly / gpuCount, rounded to 6 decimals."),
    isAvailable: z.boolean().describe("Whether the offer is available, as far as its source states."),
    specs: z
      .object({
        vcpu: count.describe("Virtual CPUs; 0 if unknown."),
        ram: count.describe("Memory in GB, as the provider states it; 0 if unknown."),
        disk: count.describe("Included disk in GB, for information. The storage rule decides what is charged."),
      })
      .meta({ id: "Specs", description: "The machine around the GPUs." }),
    storageCostPerGB: usdSchema.describe("USD per hour for each GB of the chosen disk."),
    storageMinGB: count.describe("Minimum disk size in GB."),
    storageMaxGB: count.describe("Maximum disk size in GB."),
    costDataComplete: z.boolean().describe("False if a part of the cost is unknown, so that prices are lower bounds."),
    deploymentType: text.describe("virtual, container or bare-metal. More values may be added."),
    nvlinkEnabled: z
      .boolean()
      .describe("True if the source confirms that NVLink connects the instance's GPUs; false if not, or if unknown."),
    interconnect: interconnectSchema.describe(
      "Network between instances, such as 'InfiniBand 3200 Gbps'; null if there is none or it is unknown.",
    ),
  })
  .meta({ id: "Offer", description: "A rentable GPU instance." });
export type Offer = z.output<typeof offerSchema>;

/**
 * An offer for publishing: {@link offerSchema} with every rule that catalogs must follow.
 * Prices have at most 6 decimals, pricePerGpu follows from priceHourly, the disk bounds are in order, GPU slug and
 * continent are known values, `interconnect` is null or a short text, and the largest disk keeps the hourly cost within
 * {@link MAX_PRICE}, up to which calculations are exact.
 */
export const publishedOfferSchema = z
  .strictObject({
    ...offerSchema.shape,
    id: z.uuid().refine((id) => id === id.toLowerCase(), "must be lower-case"),
    provider: z
      .strictObject({ name: providerNameSchema, slug: providerNameSchema })
      .refine((provider) => provider.name === provider.slug, "name and slug must be equal"),
    gpu: z.strictObject({
      name: plainTextSchema.min(1),
      slug: gpuSlugSchema,
      vramGB: z.int().min(1).max(100_000),
      architecture: plainTextSchema.min(1),
    }),
    // Up to the maximum of the GPU count filters.
    gpuCount: z.int().min(1).max(999_999_999),
    region: plainTextSchema.min(1),
    regionInfo: z
      .strictObject({
        countryCode: z.string().regex(/^[A-Z]{2}$/, "must be two capital letters"),
        countryName: plainTextSchema.min(1),
        cityState: plainTextSchema,
        continent: z.enum([...CONTINENTS, UNKNOWN_REGION.continent]),
      })
      .refine(
        ({ countryCode, countryName, continent }) =>
          countryCode === UNKNOWN_REGION.countryCode
            ? countryName === UNKNOWN_REGION.countryName
            : countryName !== UNKNOWN_REGION.countryName && continent !== UNKNOWN_REGION.continent,
        "countryCode ZZ and countryName Unknown go together, and only then may the continent be Unknown",
      ),
    priceHourly: priceSchema.refine((price) => price > 0, "must be above 0"),
    pricePerGpu: priceSchema,
    specs: z.strictObject(offerSchema.shape.specs.shape),
    storageCostPerGB: priceSchema,
    deploymentType: z.enum(DEPLOYMENT_TYPES),
    interconnect: plainTextSchema.min(1).nullable(),
  })
  .superRefine((offer, context) => {
    const problem = (field: keyof Offer, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (offer.storageMinGB > offer.storageMaxGB) {
      problem("storageMinGB", `must not be above storageMaxGB (${offer.storageMinGB} > ${offer.storageMaxGB})`);
    }
    if (
      !isPrice(offer.priceHourly) ||
      !isPrice(offer.storageCostPerGB) ||
      offer.gpuCount < 1 ||
      offer.storageMaxGB < 0
    ) {
      return;
    }
    const expected = pricePerGpu(offer.priceHourly, offer.gpuCount);
    if (offer.pricePerGpu !== expected) {
      problem("pricePerGpu", `must be priceHourly / gpuCount = ${expected}, not ${offer.pricePerGpu}`);
    }
    if (hourlyCostMicros(offer, offer.storageMaxGB) > toMicros(MAX_PRICE)) {
      problem("storageMaxGB", `must not cost more than ${MAX_PRICE} USD an hour`);
    }
  });
