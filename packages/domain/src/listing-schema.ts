import * as z from "zod";
import { priceSchema, usdSchema } from "./money-schema.js";
import { offerSchema } from "./offer-schema.js";
import { plainTextSchema } from "./plain-text-schema.js";
import { SELLERS, SPOT_KINDS } from "./seller.js";
import { sourceStatusSchema } from "./source-status-schema.js";

const text = z.string().max(2000);

const INSTANCE_TYPE =
  "What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown.";
const PROVIDER_OFFER_ID = "The marketplace's own id of what one rents; null if there is none. It may be short-lived.";
const SELLER =
  "`cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's machine; null if unknown.";
const VERIFIED = "Whether the marketplace has verified the host; null if it doesn't say.";
const RELIABILITY = "Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say.";
const TOOL_NAMES = "What only SkyPilot (`sky`) and dstack (`dstack`) call the machine.";
const EGRESS = "USD for each GB of outbound traffic; null if unknown.";
const SPOT =
  "Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is USD per hour of the whole instance, without the disk.";
const SPOT_KIND = "`price`: what is charged; `bid`: the minimum bid, which a higher one takes the instance from.";

/** Spot terms for readers: new kinds are accepted. */
export const spotSchema = z
  .object({
    priceHourly: usdSchema.describe("USD per hour of the whole instance, without the disk."),
    kind: text.describe(SPOT_KIND),
  })
  .meta({ id: "Spot", description: SPOT });

/** See {@link spotSchema}. */
export type Spot = z.infer<typeof spotSchema>;

/** What a source states about an offer beyond the API's fields. For readers: new values of `seller` are accepted. */
export const listingFactsSchema = z
  .object({
    instanceType: text.nullable().describe(INSTANCE_TYPE),
    providerOfferId: text.nullable().describe(PROVIDER_OFFER_ID),
    seller: text.nullable().describe(SELLER),
    verified: z.boolean().nullable().describe(VERIFIED),
    reliability: z.number().min(0).max(1).nullable().describe(RELIABILITY),
    toolNames: z.object({ sky: text.optional(), dstack: text.optional() }).describe(TOOL_NAMES),
    egressPerGB: usdSchema.nullable().describe(EGRESS),
    spot: spotSchema.nullable().describe(SPOT),
  })
  .meta({ id: "ListingFacts", description: "What the source states about the offer beyond its price." });

/** See {@link listingFactsSchema}. */
export type ListingFacts = z.infer<typeof listingFactsSchema>;

const name = plainTextSchema.min(1);

/**
 * Facts in a catalog file. Each is optional; invalid ones are errors, unlike those of a provider's API. Combine them with
 * the offer's price by `listingFacts`.
 */
export const statedFactsSchema = z.strictObject({
  instanceType: name.nullable().optional(),
  providerOfferId: name.nullable().optional(),
  seller: z.enum(SELLERS).nullable().optional(),
  verified: z.boolean().nullable().optional(),
  reliability: z.number().min(0).max(1).nullable().optional(),
  toolNames: z.strictObject({ sky: name.optional(), dstack: name.optional() }).optional(),
  egressPerGB: priceSchema.nullable().optional(),
  spot: z
    .strictObject({ priceHourly: priceSchema, kind: z.enum(SPOT_KINDS) })
    .nullable()
    .optional(),
});

/** An offer with everything that its source states, and how old its price is. */
export const listingSchema = z
  .object({
    offer: offerSchema,
    ...listingFactsSchema.shape,
    pricesAsOf: sourceStatusSchema.shape.pricesAsOf.describe("Time or date of the price; null if unknown."),
    isStale: z
      .boolean()
      .describe("True if the source hasn't confirmed the offer for too long, so that it counts as unavailable."),
    stock: sourceStatusSchema.shape.stock,
    source: sourceStatusSchema.shape.name.describe("Name of its source in `GET /sources`."),
  })
  .meta({ id: "Listing", description: "An offer, what to rent, who sells it, and how old its price is." });

/** See {@link listingSchema}. */
export type Listing = z.infer<typeof listingSchema>;
