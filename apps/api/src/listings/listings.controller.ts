import { Controller, Get, Headers, Param, VERSION_NEUTRAL } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  launchPlanSchema,
  launchQuerySchema,
  listingDetailsSchema,
  listingListSchema,
  OFFER_NOT_FOUND,
  queryPlanSchema,
  type LaunchQuery,
  type ListListingsQuery,
} from "@gpu-offers/domain";
import { listingQuerySchema, planQuerySchema, type PlanQuery } from "@gpu-offers/domain/query";
import { listingStockQuerySchema, listingStockSchema, type ListingStockQuery } from "@gpu-offers/domain/history";
import * as z from "zod";
import type { Representation } from "../catalog/snapshot.js";
import { Access } from "../http/access.guard.js";
import type { Content, TaggedBody } from "../http/content.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { CurrentExchange } from "../http/work-units.js";
import { ApiCached } from "../openapi/decorators.js";
import {
  exampleLaunchPlan,
  exampleListingDetails,
  exampleListingList,
  exampleListingStock,
  exampleOffer,
  exampleQueryPlan,
} from "../openapi/examples.js";
import { wantsLines } from "../wire/accepted.js";
import type { Exchange } from "../wire/exchange.js";
import { ListingService } from "./listing.service.js";

@ApiTags("Listings")
@Access("catalog")
@Controller({ path: "plan", version: "2" })
export class PlanController {
  constructor(private readonly listings: ListingService) {}

  @Get()
  @ApiOperation({
    operationId: "getPlan",
    summary: "Get commands that launch the best match",
    description:
      "Finds listings like `GET /api/v2/listings`, without unverified hosts and what is sold out, cheapest with the disk first, and returns how to launch the first one that is for sale. With `top`, SkyPilot and dstack take the first of several matches of its GPU and count.",
  })
  @ApiCached(queryPlanSchema, exampleQueryPlan, "How to launch it.")
  get(@ValidQuery(planQuerySchema) query: PlanQuery, @CurrentExchange() exchange: Exchange): Promise<TaggedBody> {
    return this.listings.planOfQuery(query, exchange);
  }
}

const idSchema = z.object({ id: z.string().meta({ description: "Offer identifier.", examples: [exampleOffer.id] }) });

/** Offers with everything that their sources state: what to rent, who sells it, spot prices, ages. */
@ApiTags("Listings")
@Access("catalog")
@Controller({ path: "listings", version: ["2", VERSION_NEUTRAL] })
export class ListingsController {
  constructor(private readonly listings: ListingService) {}

  @Get()
  @ApiOperation({
    operationId: "listListings",
    summary: "List listings",
    description:
      "Returns a page of the offers that match all parameters, with what to rent, who sells it, spot prices and the age of the price. Available offers come first. With `Accept: application/x-ndjson`, the response has all matches of one catalog, one per line, and `page` and `size` have no effect.",
  })
  @ApiCached(listingListSchema, exampleListingList, "A page of matching listings.", { hasAge: true })
  list(
    @ValidQuery(listingQuerySchema) query: ListListingsQuery,
    @Headers("accept") accept: string | undefined,
    @CurrentExchange() exchange: Exchange,
  ): Promise<Representation> | Content {
    return wantsLines(accept) ? this.listings.lines(query, exchange) : this.listings.page(query, exchange);
  }

  @Get(":id")
  @ApiOperation({
    operationId: "getListing",
    summary: "Get a listing",
    description: "Returns an offer with everything that its source states, and the OS images that it can boot.",
  })
  @ApiCached(listingDetailsSchema, exampleListingDetails, "The listing.", { notFound: OFFER_NOT_FOUND })
  get(@Param({ schema: idSchema }) { id }: { id: string }): TaggedBody {
    return this.listings.get(id);
  }

  @Get(":id/stock")
  @ApiOperation({
    operationId: "getListingStock",
    summary: "Get when a listing was in stock",
    description:
      "Returns the hours or days of the last 14 days in which the stock of an offer was observed. An observation holds until the next one, but for at most two intervals of its source.",
  })
  @ApiCached(listingStockSchema, exampleListingStock, "When it was in stock.", { notFound: OFFER_NOT_FOUND })
  stock(
    @Param({ schema: idSchema }) { id }: { id: string },
    @ValidQuery(listingStockQuerySchema) query: ListingStockQuery,
    @CurrentExchange() exchange: Exchange,
  ): Promise<TaggedBody> {
    return this.listings.stock(id, query, exchange);
  }

  @Get(":id/launch")
  @ApiOperation({
    operationId: "getLaunchPlan",
    summary: "Get commands that launch a listing",
    description:
      "Returns the parameters of a deployment and what to paste: a SkyPilot task, a dstack fleet, the provider's own command or API request. What isn't known, such as a key pair, is a placeholder in angle brackets. Nothing is launched.",
  })
  @ApiCached(launchPlanSchema, exampleLaunchPlan, "How to launch it.", { notFound: OFFER_NOT_FOUND })
  launch(
    @Param({ schema: idSchema }) { id }: { id: string },
    @ValidQuery(launchQuerySchema) query: LaunchQuery,
    @CurrentExchange() exchange: Exchange,
  ): Promise<TaggedBody> {
    return this.listings.plan(id, query, exchange);
  }
}
