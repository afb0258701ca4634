import * as z from "zod";
import { gpuFactSourceSchema, gpuFactsSchema } from "../gpu/gpu-facts-schema.js";
import { usdSchema } from "../money/money-schema.js";
import { MAX_SERIES_POINTS, SERIES_STEPS } from "./series-step.js";
import { queryTextSchema } from "../text/query-text-schema.js";

// GPUs with their facts and their market: `GET /api/v2/gpus`, `/gpus/{slug}` and `/gpus/{slug}/prices`.

const text = z.string().max(2000);
const count = z.int().min(0);
const flag = z.boolean().default(false);
const time = z.union([z.iso.datetime(), z.iso.date()]);

/** Prices per GPU in USD per hour by nearest rank: each is one of the prices. */
export const priceRangeSchema = z.object({
  min: usdSchema.describe("Lowest price in USD per hour."),
  p10: usdSchema.describe("Price in USD per hour that a tenth of the offers don't exceed."),
  median: usdSchema.describe("Price in USD per hour that half of the offers don't exceed."),
  p90: usdSchema.describe("Price in USD per hour that nine tenths of the offers don't exceed."),
  max: usdSchema.describe("Highest price in USD per hour."),
});
/** Prices per GPU in USD per hour by nearest rank: each is one of the prices. */
export type PriceRange = z.output<typeof priceRangeSchema>;

/** What one can rent, and what it costs. */
export const marketSchema = z
  .object({
    offers: count.describe("Number of listings, rentable or not."),
    rentable: count.describe(
      "Number of listings that aren't sold out, stale, or of a host that isn't verified. All other values are theirs.",
    ),
    providers: count.describe("Number of providers."),
    regions: count.describe("Number of regions, each provider's own."),
    pricePerGpu: priceRangeSchema
      .nullable()
      .describe(
        "On-demand prices per GPU in USD per hour, without disks, by nearest rank. Null if nothing is rentable.",
      ),
    isAtLeast: z
      .boolean()
      .describe("Whether the cost of the cheapest listing is incomplete, so that its price is a lower bound."),
    cheapest: z.string().nullable().describe("Identifier of the cheapest listing; null if nothing is rentable."),
    spotMin: usdSchema
      .nullable()
      .describe("Lowest spot price per GPU in USD per hour, bids excluded; null if there is none."),
    pricesAsOf: time.nullable().describe("Time or date of the oldest price; null if none is known."),
    basis: z
      .object({
        live: count.describe("Number of listings that are in stock."),
        listed: count.describe("Number of listings from price lists."),
        unknown: count.default(0).describe("Number of other listings."),
      })
      .describe("What availability rests on."),
    sample: flag.describe("Whether these are prices of the sample, because nothing else is rentable."),
  })
  .meta({ id: "GpuMarket", description: "What one can rent, and what it costs." });
export type Market = z.output<typeof marketSchema>;

/** A GPU model with its facts and its market. */
export const gpuEntrySchema = z
  .object({
    slug: text.describe("GPU slug, the value of the `gpu` filter."),
    name: text.describe("Display name."),
    vendor: text.nullable().describe("Null if the model is not in the table of known models."),
    family: text.nullable().describe("Common part of all forms and sizes of a card: `h100` of `h100-sxm`."),
    architecture: text.describe("Architecture, as named by the vendor."),
    form: text.nullable().describe("SXM, PCIe, NVL, OAM ...; null if the name leaves it open."),
    vramGB: z.int().min(1).describe("Memory of one GPU in GB."),
    ...gpuFactsSchema.shape,
    note: text
      .nullable()
      .describe("How figures were derived, and which tables disagree; null if there is nothing to add."),
    sources: z.partialRecord(gpuFactsSchema.keyof(), gpuFactSourceSchema).describe("The source of each known figure."),
    market: marketSchema,
  })
  .meta({ id: "GpuEntry", description: "A GPU model, its facts with their sources, and what it costs now." });
export type GpuEntry = z.output<typeof gpuEntrySchema>;

/** The response of `GET /api/v2/gpus`. */
export const gpuListSchema = z
  .object({ gpus: z.array(gpuEntrySchema).describe("Known models and listed ones, by slug.") })
  .meta({ id: "GpuList", description: "All GPU models that are known or listed." });
export type GpuList = z.output<typeof gpuListSchema>;

/** An optional query parameter: a date or a time in UTC. */
export const timeParameter = (description: string) =>
  queryTextSchema("must be a date or a time: 2026-11-01 or 2026-11-01T00:00:00Z")
    .pipe(
      z.union([z.iso.datetime(), z.iso.date()], {
        error: "must be a date or a time: 2026-11-01 or 2026-11-01T00:00:00Z",
      }),
    )
    .optional()
    .meta({ description, anyOf: [{ format: "date" }, { format: "date-time", pattern: "Z$" }] });

/** The query of `GET /api/v2/gpus/{slug}/prices`. */
export const gpuPricesQuerySchema = z.strictObject({
  since: timeParameter("Start: a date or a time in UTC, such as `2026-11-01`. Default: 90 days ago."),
  until: timeParameter(
    "End: a date or a time in UTC, such as `2026-11-15T12:00:00Z`. `series` has all of its day or week. Default: now.",
  ),
  step: z
    .enum(SERIES_STEPS, { error: `must be one of ${SERIES_STEPS.join(", ")}` })
    .default("day")
    .meta({
      description: `Length of the points' times. A response has at most ${MAX_SERIES_POINTS}, and hours of 14 days, or less for a name of more than seven GPUs.`,
    }),
});
/** Query parameters with typed values. */
export type GpuPricesQuery = z.output<typeof gpuPricesQuerySchema>;

/** Prices of one hour, day or week. */
export const pricesAtSchema = z
  .object({
    at: z.iso
      .datetime()
      .describe("Start of the hour, day or week, maybe before trackedSince: UTC. The last prices in it count."),
    min: usdSchema.nullable().describe("Lowest price in USD per hour; null if nothing was rentable."),
    p10: usdSchema.nullable().describe("Price that a tenth of the offers didn't exceed; null if there was none."),
    median: usdSchema.nullable().describe("Price that half of the offers didn't exceed; null if there was none."),
    p90: usdSchema.nullable().describe("Price that nine tenths of the offers didn't exceed; null if there was none."),
    offers: count.describe("Number of rentable offers."),
    providers: count.describe("Number of providers."),
    regions: count.describe("Number of regions, each provider's own."),
    availability: z
      .literal("unknown")
      .optional()
      .describe("Only present if it isn't known what was rentable: then all listed offers count."),
    observed: count.describe("Number of known sellers whose prices were read in this time."),
    known: count.describe("Number of providers that sold it in the 30 days before, or do now."),
  })
  .meta({
    id: "GpuPricesAt",
    description: "Prices per GPU in USD per hour in one hour, day or week, by nearest rank.",
  });
export type GpuPricesAt = z.output<typeof pricesAtSchema>;

/** A change of prices between two days. */
export const priceChangeSchema = z
  .object({
    from: z.iso.date().nullable().describe("First observed day of the range; null if there is none."),
    until: z.iso.date().nullable().describe("Last observed day of the range; null if there is none."),
    machines: count.describe("Number of machines whose prices were observed on both days. Only these are compared."),
    medianPercent: z
      .number()
      .nullable()
      .describe("Change of their median price in percent; null with fewer than 3 of them, or too many to compare."),
    reason: text.nullable().describe("Why the change is null."),
  })
  .meta({ id: "GpuPriceChange", description: "Change of the price of the same machines between two days." });
export type PriceChange = z.output<typeof priceChangeSchema>;

/** The response of `GET /api/v2/gpus/{slug}/prices`. */
export const gpuPricesSchema = z
  .object({
    gpu: text.describe("The slug or family that was asked for."),
    slugs: z.array(text).describe("The slugs that it means."),
    trackedSince: z.iso.datetime().nullable().describe("Time of the first observation; null if there was none."),
    step: z.enum(SERIES_STEPS).describe("Length of the points' times."),
    change: priceChangeSchema,
    series: z
      .array(pricesAtSchema)
      .describe("Oldest first. Hours, days and weeks in which nothing was observed have no point."),
  })
  .meta({ id: "GpuPrices", description: "What a GPU cost over time, where it was observed." });
export type GpuPrices = z.output<typeof gpuPricesSchema>;
