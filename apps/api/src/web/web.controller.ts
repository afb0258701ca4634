import { Controller, Get, Req, Res } from "@nestjs/common";
import { ApiExcludeController } from "@nestjs/swagger";
import { countText } from "@gpu-offers/list";
import type { FastifyReply, FastifyRequest } from "fastify";
import { CatalogAccess } from "../http/access.guard.js";
import { CatalogAccessRule } from "../http/catalog-access-rule.js";
import { prepareEncoded } from "../http/content-encoding.js";
import { ApiError } from "../wire/api-error.js";
import { JSON_TYPE } from "../wire/response-headers.js";
import { CompactListCache, MAX_COMPACT_OFFERS } from "./compact-list-cache.js";

/** The data of the page. It is no part of the API: page and service are of one version. */
@ApiExcludeController()
@CatalogAccess()
@Controller("web")
export class WebController {
  constructor(
    private readonly lists: CompactListCache,
    private readonly rule: CatalogAccessRule,
  ) {}

  @Get("listings.json")
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    const file = await this.lists.find();
    if (file === undefined) {
      const most = countText(MAX_COMPACT_OFFERS);
      throw new ApiError("not_found", `The catalog has more than ${most} offers. List them with /listings.`);
    }
    const caching = { maxAgeSeconds: 0, isPrivate: this.rule.isKeyRequired, type: JSON_TYPE };
    return prepareEncoded(request, reply, file, caching);
  }
}
