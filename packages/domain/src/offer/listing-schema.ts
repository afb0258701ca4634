import * as z from "zod";
import { AVAILABILITIES } from "./availability.js";
import { deploymentSchema } from "./deployment-schema.js";
import { gpuFactsSchema } from "../gpu/gpu-facts-schema.js";
import { MODEL_NEED_PATTERN, parseModelNeed } from "../text/model-need.js";
import { MAX_PARAMETER_INTEGER } from "../page-size.js";
import { priceSchema, usdSchema } from "../money/money-schema.js";
import { offerSchema } from "./offer-schema.js";
import { osImageSchema } from "../image/os-image-schema.js";
import { plainTextSchema } from "../text/plain-text-schema.js";
import { SELLERS, SPOT_KINDS } from "../provider/seller.js";
import { statedStorageSchema, storageSchema } from "./storage-schema.js";
import { queryNameSchema, queryNumberSchema, queryTextSchema } from "../text/query-text-schema.js";
import { sourceStatusSchema } from "../provider/source-status-schema.js";

const text = z.string().max(2000);
const flag = z.boolean().default(false);

const INSTANCE_TYPE = "The provider's name of the machine, such as `p5.48xlarge`; null if unknown.";
const PROVIDER_OFFER_ID = "The marketplace's own id of what one rents; null if there is none. It may be short-lived.";
const SELLER =
  "`cloud`: the provider; `partner`: a vetted data center of a marketplace; `host`: an individual; null if unknown.";
const VERIFIED = "Whether the marketplace has verified the host; null if it doesn't say.";
const RELIABILITY = "Reliability of the host from 0 to 1, as its marketplace states it; null if unknown.";
const TOOL_NAMES = "What only SkyPilot (`sky`) and dstack (`dstack`) call the machine.";
const EGRESS = "USD for each GB of outbound traffic; null if unknown.";
const INGRESS = "USD for each GB of inbound traffic; null if unknown.";
const RENTABLE_UNTIL = "When the host's offer ends, and every rental with it; null if unknown.";
const BOOT_SECONDS = "Seconds that it takes to boot, as the source states them; null if unknown.";
const INTERRUPTION =
  "Share of spot instances that were taken back in the last month, in the provider's own words, such as `5-10%`; null if unknown.";
const AVAILABILITY =
  "`in_stock`: a fresh stock figure of this place and size says so; `listed`: the provider's own price list sells it there, and it publishes no stock; `unknown`: no word on place or stock, or too old; `sold_out`: seen to be none, or missing from a complete response for at most 14 days.";
const STOCK_LEVEL = "Stock in the provider's own words, such as `High`, or a number; null if it states none.";
const SAMPLE = "Whether it is of the sample that ships: not for sale, in no history, its availability `unknown`.";
const SPOT = "Terms of the instance if it may be taken back at any time; null if none are known.";
const STOCK_SUM = "How often it was in stock in the last 14 days; null if its source doesn't know stock.";
const SPOT_KIND = "`price`: what is charged; `bid`: the minimum bid, which a higher one takes the instance from.";

const STORAGE = "The disks that it can have; null if the offer's storage fields say everything.";
const IS_COST_COMPLETE =
  "Whether the price with its smallest disk is known; null if `costDataComplete` of the offer says it.";
const RENT_URL = "Page on which one rents it: the offer's own, else the provider's console; null if unknown.";
const CONVERTED = "Currency that prices were converted from, such as `EUR`; null for USD.";

/** Spot terms for readers: new kinds are accepted. */
export const spotSchema = z
  .object({
    priceHourly: usdSchema.describe("USD per hour of the whole instance, without the disk."),
    kind: text.describe(SPOT_KIND),
  })
  .meta({ id: "Spot", description: SPOT });
export type Spot = z.output<typeof spotSchema>;

/** How often an offer was in stock in the last 14 days. */
export const stockSumSchema = z
  .object({
    observedHours: z.number().min(0).describe("Hours in which stock was known."),
    inStockHours: z.number().min(0).describe("Those in which there was."),
    lastInStockAt: z.iso.datetime().nullable().describe("When it was last seen in stock; null if it wasn't."),
  })
  .meta({ id: "StockSum", description: STOCK_SUM });
export type StockSum = z.output<typeof stockSumSchema>;

const bootSecondsSchema = z.object({
  min: z.number().min(0).describe("Seconds at least."),
  max: z.number().min(0).describe("Seconds at most."),
});

/** What a source states about an offer beyond the API's fields. For readers: new values of `seller` are accepted. */
export const listingFactsSchema = z
  .object({
    instanceType: text.nullable().describe(INSTANCE_TYPE),
    providerOfferId: text.nullable().describe(PROVIDER_OFFER_ID),
    seller: text.nullable().describe(SELLER),
    verified: z.boolean().nullable().describe(VERIFIED),
    reliability: z.number().min(0).max(1).nullable().describe(RELIABILITY),
    toolNames: z
      .object({
        sky: text.optional().describe("Name of the instance type in SkyPilot."),
        dstack: text.optional().describe("Name of the machine in dstack."),
      })
      .describe(TOOL_NAMES),
    egressPerGB: usdSchema.nullable().describe(EGRESS),
    ingressPerGB: usdSchema.nullable().default(null).describe(INGRESS),
    rentableUntil: z.iso.datetime().nullable().default(null).describe(RENTABLE_UNTIL),
    bootSeconds: bootSecondsSchema.nullable().default(null).describe(BOOT_SECONDS),
    spotInterruption: text.nullable().default(null).describe(INTERRUPTION),
    spot: spotSchema.nullable().describe(SPOT),
    storage: storageSchema.nullable().default(null).describe(STORAGE),
    isCostComplete: z.boolean().nullable().default(null).describe(IS_COST_COMPLETE),
    converted: text.nullable().default(null).describe(CONVERTED),
    availability: text.nullable().default(null).describe(`${AVAILABILITY} Null if its source says nothing about it.`),
    stockLevel: text.nullable().default(null).describe(STOCK_LEVEL),
    sample: flag.describe(SAMPLE),
    stock14d: stockSumSchema.nullable().optional().describe(STOCK_SUM),
  })
  .meta({ id: "ListingFacts", description: "What the source states about the offer beyond its price." });
export type ListingFacts = z.output<typeof listingFactsSchema>;

const name = plainTextSchema.min(1);

/**
 * Facts in a catalog file. Each is optional; invalid ones are errors, unlike those of a provider's API. Combine them with
 * the offer's price by `listingFacts`.
 */
export const statedFactsSchema = z.strictObject({
  instanceType: name.nullable().optional().describe(INSTANCE_TYPE),
  providerOfferId: name.nullable().optional().describe(PROVIDER_OFFER_ID),
  seller: z.enum(SELLERS).nullable().optional().describe(SELLER),
  verified: z.boolean().nullable().optional().describe(VERIFIED),
  reliability: z.number().min(0).max(1).nullable().optional().describe(RELIABILITY),
  toolNames: z
    .strictObject({
      sky: name.optional().describe("Name of the instance type in SkyPilot."),
      dstack: name.optional().describe("Name of the machine in dstack."),
    })
    .optional()
    .describe(TOOL_NAMES),
  egressPerGB: priceSchema.nullable().optional().describe(EGRESS),
  ingressPerGB: priceSchema.nullable().optional().describe(INGRESS),
  rentableUntil: z.iso.datetime().nullable().optional().describe(RENTABLE_UNTIL),
  bootSeconds: z.strictObject(bootSecondsSchema.shape).nullable().optional().describe(BOOT_SECONDS),
  spotInterruption: name.nullable().optional().describe(INTERRUPTION),
  spot: z
    .strictObject({
      priceHourly: priceSchema.describe("USD per hour of the whole instance, without the disk."),
      kind: z.enum(SPOT_KINDS).describe(SPOT_KIND),
    })
    .nullable()
    .optional()
    .describe(SPOT),
  storage: statedStorageSchema.nullable().optional().describe(STORAGE),
  isCostComplete: z.boolean().nullable().optional().describe(IS_COST_COMPLETE),
  converted: z
    .string()
    .regex(/^[A-Z]{3}$/, "must be an ISO 4217 code")
    .nullable()
    .optional()
    .describe(CONVERTED),
  availability: z.enum(AVAILABILITIES).nullable().optional().describe(AVAILABILITY),
  stockLevel: name.nullable().optional().describe(STOCK_LEVEL),
  sample: z.boolean().optional().describe(SAMPLE),
});
/** What a row states. Everything may be missing, and prices have any number of decimals. */
export type StatedFacts = z.output<typeof statedFactsSchema>;

/** An offer with everything that its source states, and how old its price is. */
export const listingSchema = z
  .object({
    offer: offerSchema,
    ...listingFactsSchema.shape,
    availability: text.describe(AVAILABILITY),
    stock14d: stockSumSchema.nullable().default(null).describe(STOCK_SUM),
    pricesAsOf: sourceStatusSchema.shape.pricesAsOf.describe("Time or date of the price; null if unknown."),
    isStale: z.boolean().describe("Whether its source hasn't confirmed it for too long. Its availability is unknown."),
    stock: sourceStatusSchema.shape.stock,
    source: sourceStatusSchema.shape.name.describe("Name of its source in `GET /api/v2/sources`."),
  })
  .meta({ id: "Listing", description: "An offer, what to rent, who sells it, and how old its price is." });
export type Listing = z.output<typeof listingSchema>;

/** Cost of an instance with the disk of a query. */
export const listingTotalSchema = z
  .object({
    hourly: z.number().describe("USD per hour of the instance with the disk."),
    isAtLeast: z.boolean().describe("True if a part of the cost is unknown, so that the amounts are lower bounds."),
    forHours: z.number().optional().describe("USD for the hours of the query; only if it states hours."),
  })
  .meta({ id: "ListingTotal", description: "Cost with the disk of the query, at its spot or on-demand price." });
export type ListingTotal = z.output<typeof listingTotalSchema>;

/** A listing in a response: with the published figures of its GPU, and its cost with the disk of the query. */
export const listedSchema = z
  .object({
    ...listingSchema.shape,
    facts: gpuFactsSchema.nullable().describe("Figures of one GPU, as in `GET /api/v2/gpus`; null if unknown."),
    total: listingTotalSchema,
    rentUrl: text.nullable().default(null).describe(RENT_URL),
  })
  .meta({ id: "Listed", description: "A listing, the figures of its GPU, and its cost with the disk of the query." });
export type Listed = z.output<typeof listedSchema>;

/** Response of `GET /api/v2/listings`. */
export const listingListSchema = z
  .object({
    listings: z.array(listedSchema).describe("Listings of the requested page."),
    page: z.int().min(0).describe("Current page number, 0-indexed."),
    totalPages: z.int().min(0).describe("Total number of pages; 0 if nothing matches."),
    totalElements: z.int().min(0).describe("Total number of matching listings."),
    hasMore: z.boolean().describe("Whether further pages follow."),
    understood: z
      .array(
        z.object({
          text: z.string().describe("The name or words, as written."),
          as: z.string().describe("What they were taken for."),
          doubt: z.string().optional().describe("Why that is doubtful."),
          instead: z.string().optional().describe("Words for the other reading, in place of `text`."),
          nearest: z.array(z.string()).optional().describe("Of an unknown word: names like it, nearest first."),
        }),
      )
      .describe("What is doubtful, or taken otherwise than written."),
    excludedBy: z
      .record(z.string(), z.int())
      .optional()
      .describe("If nothing matches: by parameter, how many would match without it."),
  })
  .meta({ id: "ListingList", description: "A page of matching listings." });
export type ListingList = z.output<typeof listingListSchema>;

/** Response of `GET /api/v2/listings/{id}`. */
export const listingDetailsSchema = z
  .object({
    ...listedSchema.shape,
    images: z.array(osImageSchema).describe("OS images that it can boot; empty if unknown."),
  })
  .meta({ id: "ListingDetails", description: "A listing with its OS images." });
export type ListingDetails = z.output<typeof listingDetailsSchema>;

function modelProblem(fits: string): string | undefined {
  const model = parseModelNeed(fits);
  return model.ok ? undefined : model.reason;
}

/** Query parameters of `GET /api/v2/listings/{id}/launch`. */
export const launchQuerySchema = z.strictObject({
  disk: queryNumberSchema(0, MAX_PARAMETER_INTEGER)
    .optional()
    .meta({
      description:
        "Minimum disk in GB. Default: with `fits`, its weights and a fifth more, else the included disk, else 100 GB or the nearest size.",
      examples: [500],
    }),
  fits: queryTextSchema()
    .min(1, "must not be empty")
    .refine((fits) => modelProblem(fits) === undefined, {
      error: ({ input }) => `is invalid: ${modelProblem(String(input))}`,
    })
    .optional()
    .meta({
      description: "A model for whose weights the default disk has room.",
      examples: ["70b@8"],
      pattern: MODEL_NEED_PATTERN,
    }),
  os_image_id: queryNameSchema(200)
    .optional()
    .meta({ description: "Id of an OS image; by default the provider's default.", examples: ["ubuntu-22.04"] }),
  hours: queryNumberSchema(1, MAX_PARAMETER_INTEGER)
    .optional()
    .meta({ description: "Hours to estimate the cost for.", examples: [24] }),
  spot: queryTextSchema()
    .pipe(z.enum(["true", "false"], { error: "must be true or false" }))
    .optional()
    .meta({ description: "Whether to launch with spot terms.", examples: ["true"] }),
  ceiling: queryNumberSchema(0, 999)
    .optional()
    .meta({ description: "Percent that the price may rise. Default: 5.", examples: [5] }),
  top: queryNumberSchema(1, 20)
    .optional()
    .meta({
      description: "SkyPilot and dstack take the first of this number of offers of its GPU and count.",
      examples: [5],
    }),
  nodes: queryNumberSchema(1, 999)
    .optional()
    .meta({ description: "Number of machines. Default: 1.", examples: [2] }),
});
/** Query parameters with typed values. */
export type LaunchQuery = z.output<typeof launchQuerySchema>;

/** Response of `GET /api/v2/listings/{id}/launch`. */
export const launchPlanSchema = z
  .object({
    sample: flag.describe("Whether it is of the sample. Each text begins with a line that says so."),
    deployment: deploymentSchema.nullable().describe("Parameters of a deployment; null if there are problems."),
    problems: z
      .array(
        z.object({
          field: z.string().describe("Part of the choice, such as disk."),
          reason: z.string().describe("What is invalid, and what would be valid."),
        }),
      )
      .describe("Why the choice is not valid; empty if it is."),
    total: listingTotalSchema.nullable().describe("Cost of the choice; null if there are problems."),
    diskGb: z.number().nullable().default(null).describe("GB that the texts state; null: the included disk."),
    ceiling: z.number().nullable().default(null).describe("Limit of the price where a tool takes one, USD per hour."),
    notes: z.array(z.string()).default([]).describe("What was chosen by default."),
    launch: z
      .array(
        z
          .object({
            kind: z.string().describe("`sky`, `dstack`, or `cli`: the provider's own command line or API."),
            tool: z.string().describe("Name of the program."),
            title: z.string().describe("What the text is, for a heading."),
            text: z.string().describe("File or command, with placeholders in angle brackets."),
            placeholders: z.array(z.string()).describe("What to replace in the text."),
            source: z
              .object({
                title: z.string().describe("Title of the document."),
                url: z.string().describe("Its address."),
              })
              .describe("Document that the form is from."),
          })
          .meta({ id: "LaunchText", description: "How to launch the listing with one tool." }),
      )
      .describe("Empty if it isn't known what to ask the provider for; `missing` says why."),
    missing: z
      .array(z.object({ tool: z.string().describe("Its kind."), reason: z.string().describe("A sentence.") }))
      .default([])
      .describe("Why tools have no text."),
    rentUrl: text.nullable().default(null).describe(RENT_URL),
  })
  .meta({ id: "LaunchPlan", description: "How to launch a listing." });
export type LaunchPlan = z.output<typeof launchPlanSchema>;

/** Response of `GET /api/v2/plan`. */
export const queryPlanSchema = launchPlanSchema
  .extend({
    listing: listedSchema.nullable().describe("The best match; null if nothing matches."),
    understood: listingListSchema.shape.understood,
    excludedBy: listingListSchema.shape.excludedBy,
  })
  .meta({ id: "QueryPlan", description: "How to launch the best match of a query." });
export type QueryPlan = z.output<typeof queryPlanSchema>;
