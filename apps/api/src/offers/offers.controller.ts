import { Controller, Get, Inject, Param, Query, Req, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  listOffersQuerySchema,
  OFFER_NOT_FOUND,
  offerListSchema,
  offerSchema,
  type ListOffersQuery,
} from "@gpu-offers/domain";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { CATALOG_ANSWERS, type CatalogAnswers } from "../catalog/catalog-answers.js";
import { CatalogAccess } from "../http/access.guard.js";
import { ApiError } from "../http/api-error.js";
import { noParametersSchema } from "../http/parameters.pipe.js";
import { ApiCached, ApiErrors } from "../openapi/decorators.js";
import { exampleOffer, exampleOfferList } from "../openapi/examples.js";

const idSchema = z.object({ id: z.string().meta({ description: "Offer identifier.", examples: [exampleOffer.id] }) });

/** Offers: interface.md 4.1 and 4.2. */
@ApiTags("Offers")
@CatalogAccess()
@Controller("api/v1/offers")
export class OffersController {
  constructor(@Inject(CATALOG_ANSWERS) private readonly answers: CatalogAnswers) {}

  @Get()
  @ApiOperation({
    operationId: "listOffers",
    summary: "List offers",
    description:
      "One page of the offers that meet every filter given. Unavailable offers are listed too, with isAvailable false. A page past the end is empty and keeps the true totals.",
  })
  @ApiCached(offerListSchema, exampleOfferList, "One page of the matching offers.")
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited")
  list(
    @Query({ schema: listOffersQuerySchema }) query: ListOffersQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const snapshot = this.answers.snapshot();
    this.answers.send(request, reply, snapshot, () => snapshot.listOffers(query));
  }

  @Get(":id")
  @ApiOperation({
    operationId: "getOffer",
    summary: "Get an offer",
    description: "One offer by its identifier. Ids stay the same from one catalog to the next.",
  })
  @ApiCached(offerSchema, exampleOffer, "The offer.")
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited", ["not_found", OFFER_NOT_FOUND])
  get(
    @Param({ schema: idSchema }) { id }: { id: string },
    @Query({ schema: noParametersSchema }) _query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const snapshot = this.answers.snapshot();
    const offer = snapshot.findOffer(id);
    if (offer === undefined) {
      throw new ApiError("not_found", OFFER_NOT_FOUND);
    }
    this.answers.send(request, reply, snapshot, () => offer);
  }
}
