import * as z from "zod";

// How the price of an offer moved: `GET /history`.

/** The most price changes of one offer that a response has; the latest ones. */
export const MAX_PRICE_CHANGES = 200;

/** The query of `GET /history`. */
export const priceHistoryQuerySchema = z.strictObject({
  offer: z
    .string({ error: "is required: the id of an offer" })
    .min(1, { error: "must be the id of an offer" })
    .max(100, { error: "must be the id of an offer, which has at most 100 characters" })
    .meta({ description: "Identifier of the offer, which may be gone by now." }),
});

/** The query of `GET /history`. */
export type PriceHistoryQuery = z.output<typeof priceHistoryQuerySchema>;

/** From when on an offer had which price. */
export const pricePointSchema = z
  .object({
    at: z.string().describe("From when on: ISO 8601 UTC."),
    priceHourly: z.number().nullable().describe("USD per hour of the instance; null while it was not offered."),
  })
  .meta({ id: "PricePoint", description: "A price of an offer, and since when it had it." });

/** From when on an offer had which price. */
export type PricePoint = z.output<typeof pricePointSchema>;

/** The response of `GET /history`. */
export const priceHistorySchema = z
  .object({
    offer: z.string().describe("Identifier of the offer."),
    trackedSince: z.string().describe("Since when its price is recorded: ISO 8601 UTC."),
    isComplete: z
      .boolean()
      .describe(`Whether \`prices\` begins at \`trackedSince\`; otherwise it has the latest ${MAX_PRICE_CHANGES}.`),
    prices: z.array(pricePointSchema).min(1).describe("The first price and each change of it, the latest last."),
  })
  .meta({ id: "PriceHistory", description: "How the price of an offer moved." });

/** How the price of an offer moved. */
export type PriceHistory = z.output<typeof priceHistorySchema>;
