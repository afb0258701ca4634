import * as z from "zod";

// Where the offers of a catalog come from, and how old their prices are: `GET /sources`. It holds no field that changes
// with the clock alone, so that its entity tag means something; ages are for readers to compute.

/** One source of offers. */
export const sourceStatusSchema = z
  .object({
    name: z.string().describe("Name of the source; for an import by hand, that of its provider."),
    providers: z.array(z.string()).describe("Providers whose offers it keeps."),
    kind: z
      .string()
      .describe(
        "`list`: a provider's price list; `marketplace`; `feed`: another project's collection; `import`: imported by hand.",
      ),
    state: z
      .string()
      .describe(
        "`fresh`; `stale`: not confirmed for too long, so its offers are unavailable; `failing`: the last run failed; `quarantined`: the last run changed too much to be believed; `needs_key`; `pending`: not run yet; `off`; `imported`: by hand, never stale.",
      ),
    stock: z
      .string()
      .describe("What isAvailable rests on: `live` stock, `listed` in the provider's price list, or `unknown`."),
    checkedAt: z
      .string()
      .nullable()
      .describe("When its offers were last confirmed; null if never, or imported by hand."),
    pricesAsOf: z.string().nullable().describe("Date of its prices; null if it is not known."),
    offers: z.int().describe("Offers in the catalog."),
    nextRunAt: z.string().nullable().describe("When it is due; null if it does not run by itself."),
    error: z
      .object({ code: z.string(), message: z.string(), at: z.string().nullable() })
      .nullable()
      .describe("What went wrong in its last run; null if nothing did."),
    coverage: z
      .object({ scopes: z.int(), failed: z.array(z.string()) })
      .nullable()
      .describe("Parts of it that fail alone, such as zones; null if it has none."),
    origin: z.string().nullable().describe("Who collects the data, if not the provider itself."),
  })
  .meta({ id: "SourceStatus", description: "A source of offers, and the age of its prices." });

/** A source of offers. */
export type SourceStatus = z.output<typeof sourceStatusSchema>;

/** The response of `GET /sources`. */
export const sourceListSchema = z
  .object({
    revision: z.int().describe("Number of the catalog that is served."),
    sources: z.array(sourceStatusSchema),
  })
  .meta({ id: "SourceList", description: "Where the offers come from, and how old their prices are." });

/** The sources of a catalog. */
export type SourceList = z.output<typeof sourceListSchema>;
