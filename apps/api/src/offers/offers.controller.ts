import { Controller, Get, Param } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  listOffersQuerySchema,
  OFFER_NOT_FOUND,
  offerListSchema,
  offerSchema,
  type ListOffersQuery,
} from "@gpu-offers/domain";
import * as z from "zod";
import { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import { Access } from "../http/access.guard.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { ApiCached } from "../openapi/decorators.js";
import { exampleOffer, exampleOfferList } from "../openapi/examples.js";
import { ApiError } from "../wire/api-error.js";

const idSchema = z.object({ id: z.string().meta({ description: "Offer identifier.", examples: [exampleOffer.id] }) });

@ApiTags("Offers")
@Access("catalog")
@Controller({ path: "offers", version: "1" })
export class OffersController {
  constructor(private readonly catalog: Catalog) {}

  @Get()
  @ApiOperation({
    summary: "List offers",
    description:
      "Returns a page of the offers that match all filters. Unavailable offers are included, with isAvailable false. A page past the end is empty, with the correct totals.",
  })
  @ApiCached(offerListSchema, exampleOfferList, "A page of matching offers.", { hasAge: true })
  listOffers(@ValidQuery(listOffersQuerySchema) query: ListOffersQuery): Representation {
    return this.catalog.getSnapshot().listOffers(query);
  }

  @Get(":id")
  @ApiOperation({
    summary: "Get an offer",
    description: "Returns an offer by its identifier. Identifiers stay the same when the catalog changes.",
  })
  @ApiCached(offerSchema, exampleOffer, "The offer.", { notFound: OFFER_NOT_FOUND, hasAge: true })
  getOffer(@Param({ schema: idSchema }) { id }: { id: string }): Representation {
    const offer = this.catalog.getSnapshot().findOffer(id);
    if (offer === undefined) {
      throw new ApiError("not_found", OFFER_NOT_FOUND);
    }
    return offer;
  }
}
