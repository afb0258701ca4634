import { Controller, Get, VERSION_NEUTRAL } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import { OFFER_NOT_FOUND, type PriceHistoryQuery } from "@gpu-offers/domain";
import { priceHistoryQuerySchema, priceHistorySchema } from "@gpu-offers/domain/history";
import { Access } from "../http/access.guard.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { TaggedBody } from "../http/content.js";
import { ApiCached } from "../openapi/decorators.js";
import { examplePriceHistory } from "../openapi/examples.js";
import { PriceHistoryStore } from "@gpu-offers/store/offer-history";
import { ApiError } from "../wire/api-error.js";

const SAMPLE_NOT_TRACKED = "The price is one of the sample that ships, which enters no history.";

@ApiTags("Sources")
@Access("catalog")
@Controller({ path: "history", version: ["2", VERSION_NEUTRAL] })
export class HistoryController {
  constructor(private readonly histories: PriceHistoryStore) {}

  @Get()
  @ApiOperation({
    summary: "Get the price history of an offer",
    description:
      "Returns the first recorded price of an offer and each later change, oldest first. The operator sets how long the history is kept (HISTORY_DAYS).",
  })
  @ApiCached(priceHistorySchema, examplePriceHistory, "The price history.", { notFound: OFFER_NOT_FOUND })
  async getPriceHistory(@ValidQuery(priceHistoryQuerySchema) { offer }: PriceHistoryQuery): Promise<TaggedBody> {
    const history = await this.histories.find(offer);
    if (history === undefined) {
      throw new ApiError("not_found", (await this.histories.isSample(offer)) ? SAMPLE_NOT_TRACKED : OFFER_NOT_FOUND);
    }
    return TaggedBody.ofJson(history);
  }
}
