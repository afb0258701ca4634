import { Controller, Get } from "@nestjs/common";
import { ApiExcludeController } from "@nestjs/swagger";
import { countText } from "@gpu-offers/list";
import { CatalogAccess } from "../http/access.guard.js";
import type { EncodedContent } from "../http/content.js";
import { CurrentExchange, UNITS } from "../http/work-units.js";
import { ApiError } from "../wire/api-error.js";
import type { Exchange } from "../wire/exchange.js";
import { CompactListCache, MAX_COMPACT_OFFERS } from "./compact-list-cache.js";

/** The data of the page. It is no part of the API: page and service are of one version. */
@ApiExcludeController()
@CatalogAccess()
@Controller("web")
export class WebController {
  constructor(private readonly lists: CompactListCache) {}

  @Get("listings.json")
  list(@CurrentExchange() exchange: Exchange): EncodedContent {
    exchange.admit(UNITS.pageData());
    const file = this.lists.find();
    if (file === undefined) {
      const most = countText(MAX_COMPACT_OFFERS);
      throw new ApiError("not_found", `The catalog has more than ${most} offers. List them with /api/v2/listings.`);
    }
    return file;
  }
}
