import * as z from "zod";

// Sources of the offers, and the age of their prices: `GET /api/v2/sources`. No field changes merely with time, so that entity tags
// work; clients compute ages.

const text = z.string();
const time = z.iso.datetime().nullable();

/** A source of offers. */
export const sourceStatusSchema = z
  .object({
    name: text.describe("Name of the source; for an imported file, the name of its provider."),
    providers: z.array(text).describe("Providers whose offers come from it, or will: it takes over imported ones."),
    kind: text.describe(
      "`list`: a provider's price list; `marketplace`; `feed`: a third-party collection; `import`: an imported file.",
    ),
    state: text.describe(
      "`fresh`; `stale`: not confirmed for too long, so the availability of its offers is unknown; `failing`: the last run failed; `quarantined`: the last run's changes were implausible and await review; `stopped`: the provider rejected the key; `needs_key`; `pending`: not run yet; `no_longer_sells`: empty for 7 days; `off`; `imported`: from a file, never stale.",
    ),
    stock: text.describe("Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`."),
    sample: z.boolean().default(false).describe("Whether its prices are the sample that ships, which is not for sale."),
    checkedAt: time.describe(
      "When its offers were last confirmed (the earliest time, if parts fail independently). Null if never, or if imported from a file.",
    ),
    pricesAsOf: z
      .union([z.iso.datetime(), z.iso.date()])
      .nullable()
      .describe("Time or date of its prices; null if unknown."),
    lastOfferedAt: time.default(null).describe("When it last showed an offer; null if unknown."),
    lastInStockAt: time.default(null).describe("When it last showed one in stock; null if unknown."),
    offers: z.int().describe("Number of offers in the catalog."),
    nextRunAt: time.describe("Time of the next run; null if it is not scheduled."),
    error: z
      .object({
        code: text.describe("Kind of the error, such as timeout or unauthorized."),
        message: text.describe("What failed, in a sentence."),
        at: time.describe("When the run failed: ISO 8601 UTC; null if unknown."),
      })
      .nullable()
      .describe("Error of its last run; null if there was none."),
    coverage: z
      .object({
        scopes: z.int().describe("Number of parts."),
        failed: z.array(text).describe("Names of the parts that failed in the last run."),
      })
      .nullable()
      .describe("Parts that can fail independently, such as zones; null if there are none."),
    origin: text.nullable().describe("Who collects the data, if not the provider itself."),
  })
  .meta({ id: "SourceStatus", description: "A source of offers, and the age of its prices." });
export type SourceStatus = z.output<typeof sourceStatusSchema>;

/** The response of `GET /api/v2/sources`. */
export const sourceListSchema = z
  .object({
    revision: z.int().describe("Revision of the served catalog."),
    sources: z.array(sourceStatusSchema).describe("All sources, sorted by name."),
  })
  .meta({ id: "SourceList", description: "Sources of the offers, and the age of their prices." });
export type SourceList = z.output<typeof sourceListSchema>;
