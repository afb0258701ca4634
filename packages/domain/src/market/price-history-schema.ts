import * as z from "zod";
import { usdSchema } from "../money/money-schema.js";
import { PLAIN_TEXT_PATTERN } from "../text/plain-text.js";
import { queryTextSchema } from "../text/query-text-schema.js";

// The price history of an offer: `GET /api/v2/history`.

/** Maximum number of price changes in a response. */
export const MAX_PRICE_CHANGES = 200;

/** The query of `GET /api/v2/history`. */
export const priceHistoryQuerySchema = z.strictObject({
  offer: queryTextSchema("is required: the id of an offer")
    .min(1, { error: "must be the id of an offer" })
    .max(100, { error: "must be the id of an offer, which has at most 100 characters" })
    .regex(PLAIN_TEXT_PATTERN, "must not contain control or invisible characters")
    .meta({ description: "Identifier of the offer, which may no longer exist." }),
});
/** Query parameters with typed values. */
export type PriceHistoryQuery = z.output<typeof priceHistoryQuerySchema>;

/** A price of an offer, and its start time. */
export const pricePointSchema = z
  .object({
    at: z.iso.datetime().describe("Start of this price: ISO 8601 UTC."),
    priceHourly: usdSchema.nullable().describe("Price in USD per hour; null while it was not offered."),
  })
  .meta({ id: "PricePoint", description: "A price of an offer, and its start time." });
export type PricePoint = z.output<typeof pricePointSchema>;

/** The response of `GET /api/v2/history`. */
export const priceHistorySchema = z
  .object({
    offer: z.string().describe("Identifier of the offer."),
    trackedSince: z.iso.datetime().describe("Start of the recorded history: ISO 8601 UTC."),
    isComplete: z
      .boolean()
      .describe(`Whether \`prices\` begins at \`trackedSince\`; otherwise it has the latest ${MAX_PRICE_CHANGES}.`),
    prices: z.array(pricePointSchema).min(1).describe("The first price and each later change, oldest first."),
  })
  .meta({ id: "PriceHistory", description: "Price history of an offer." });
export type PriceHistory = z.output<typeof priceHistorySchema>;
