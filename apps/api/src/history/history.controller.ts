import { Controller, Get, Query, Req, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  OFFER_NOT_FOUND,
  priceHistoryQuerySchema,
  priceHistorySchema,
  type PriceHistoryQuery,
} from "@gpu-offers/domain";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Kysely } from "kysely";
import { CatalogAccess } from "../http/access.guard.js";
import { CatalogAccessRule } from "../http/catalog-access-rule.js";
import { sendCached } from "../http/send-cached.js";
import { ApiCached, ApiErrors } from "../openapi/decorators.js";
import { examplePriceHistory } from "../openapi/examples.js";
import { findPriceHistory } from "../store/price-history.js";
import type { Tables } from "../store/tables.js";
import { ApiError } from "../wire/api-error.js";
import { contentTag } from "../wire/entity-tag.js";

/** Price history of offers. */
@ApiTags("Sources")
@CatalogAccess()
@Controller("history")
export class HistoryController {
  constructor(
    private readonly database: Kysely<Tables>,
    private readonly rule: CatalogAccessRule,
  ) {}

  @Get()
  @ApiOperation({
    operationId: "getPriceHistory",
    summary: "Get the price history of an offer",
    description:
      "Returns the first recorded price of an offer and each later change, oldest first. The operator sets how long the history is kept (HISTORY_DAYS).",
  })
  @ApiCached(priceHistorySchema, examplePriceHistory, "The price history.", { hasAge: false })
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited", ["not_found", OFFER_NOT_FOUND])
  async get(
    @Query({ schema: priceHistoryQuerySchema }) { offer }: PriceHistoryQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const history = await findPriceHistory(this.database, offer);
    if (history === undefined) {
      throw new ApiError("not_found", OFFER_NOT_FOUND);
    }
    const body = Buffer.from(JSON.stringify(history));
    sendCached(
      request,
      reply,
      { etag: contentTag(body), maxAgeSeconds: 0, isPrivate: this.rule.isKeyRequired },
      () => body,
    );
  }
}
