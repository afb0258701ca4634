import * as z from "zod";
import { stockSumSchema } from "../offer/listing-schema.js";
import { timeParameter } from "./gpu-entry-schema.js";

// Memory of stock: `GET /api/v2/listings/{id}/stock` and `/gpus/{slug}/stock`.

const hours = z.number().min(0);
const sums = {
  observedHours: hours.describe("Hours in which stock was known."),
  inStockHours: hours.describe("Those in which there was."),
};
const AS_OF = "The last observation of stock, ISO 8601 UTC; null if there is none.";

/** The query of `GET /api/v2/listings/{id}/stock`. */
export const listingStockQuerySchema = z.strictObject({
  since: timeParameter("Start: a date or a time in UTC. By default, and at the earliest, 14 days ago."),
  step: z
    .enum(["hour", "day"], { error: "must be hour or day" })
    .default("hour")
    .meta({ description: "Length of a step, which begins with an hour or a day in UTC." }),
});
/** Query parameters with typed values. */
export type ListingStockQuery = z.output<typeof listingStockQuerySchema>;

/** The response of `GET /api/v2/listings/{id}/stock`. */
export const listingStockSchema = z
  .object({
    id: z.string().describe("Identifier of the offer."),
    asOf: z.iso.datetime().nullable().describe(AS_OF),
    stock14d: stockSumSchema.nullable().describe("The last 14 days; null if its source doesn't know stock."),
    step: z.string().describe("Length of a step: `hour` or `day`."),
    steps: z
      .array(z.object({ at: z.iso.datetime().describe("Its start, ISO 8601 UTC."), ...sums }))
      .describe("Steps in which anything was observed, oldest first."),
  })
  .meta({ id: "ListingStock", description: "When a listing was in stock." });
export type ListingStock = z.output<typeof listingStockSchema>;

/** The response of `GET /api/v2/gpus/{slug}/stock`. */
export const gpuStockSchema = z
  .object({
    gpu: z.string().describe("The slug or family, as requested."),
    asOf: z.iso.datetime().nullable().describe(AS_OF),
    stock: z
      .array(
        z.object({
          gpu: z.string().describe("GPU slug."),
          provider: z.string().describe("Name of the provider."),
          gpuCount: z.int().min(1).describe("Number of GPUs of the instance."),
          region: z.string().describe("Region, as named by the provider."),
          ...stockSumSchema.shape,
          longestWaitHours: hours.describe("Longest time in the 14 days that it was sold out without a gap."),
          returnsByHour: z
            .array(z.int().min(0))
            .length(24)
            .describe("How often it came back in the 14 days, by hour of the day in UTC."),
          days90: z.object(sums).describe("The same hours in the last 90 days."),
        }),
      )
      .describe("By GPU, provider, size and region; only of sources that know stock."),
  })
  .meta({ id: "GpuStock", description: "How often instances with a GPU were in stock in the last 14 days." });
export type GpuStockList = z.output<typeof gpuStockSchema>;
