import { Controller, Get, Req, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import { sourceListSchema, type SourceList } from "@gpu-offers/domain";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Catalog } from "../catalog/catalog.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { CatalogAccess } from "../http/access.guard.js";
import { CatalogAccessRule } from "../http/catalog-access-rule.js";
import { sendCached } from "../http/send-cached.js";
import { ApiCached, ApiErrors } from "../openapi/decorators.js";
import { exampleSourceList } from "../openapi/examples.js";
import { contentTag } from "../wire/entity-tag.js";
import type { Freshness } from "./freshness.js";

/** Sources of the offers, and the age of their prices. */
@ApiTags("Sources")
@CatalogAccess()
@Controller("sources")
export class SourcesController {
  #made: { snapshot: Snapshot; freshness: Freshness; etag: string; body: Buffer } | undefined;

  constructor(
    private readonly catalog: Catalog,
    private readonly rule: CatalogAccessRule,
  ) {}

  @Get()
  @ApiOperation({
    operationId: "listSources",
    summary: "List sources",
    description:
      "Returns the sources of the offers, live sources and imported files, and when their prices were last confirmed. To get the age of prices, subtract checkedAt or pricesAsOf from the current time.",
  })
  @ApiCached(sourceListSchema, exampleSourceList, "All sources.", { hasAge: false })
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited")
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { etag, body } = this.#make();
    sendCached(request, reply, { etag, maxAgeSeconds: 0, isPrivate: this.rule.isKeyRequired }, () => body);
  }

  /** The body is rebuilt only when its content changes. */
  #make() {
    const snapshot = this.catalog.getSnapshot();
    const { freshness } = this.catalog;
    if (this.#made?.snapshot !== snapshot || this.#made.freshness !== freshness) {
      const list: SourceList = {
        revision: snapshot.revision.revision,
        sources: freshness.describe(snapshot.countByProvider()),
      };
      const body = Buffer.from(JSON.stringify(list));
      const etag = contentTag(body);
      this.#made = { snapshot, freshness, etag, body };
    }
    return this.#made;
  }
}
