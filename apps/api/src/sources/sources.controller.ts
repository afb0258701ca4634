import { Controller, Get } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import { sourceListSchema, type SourceList } from "@gpu-offers/domain";
import { Catalog } from "../catalog/catalog.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { CatalogAccess } from "../http/access.guard.js";
import { TaggedBody } from "../http/content.js";
import { ApiCached, ApiErrors } from "../openapi/decorators.js";
import { exampleSourceList } from "../openapi/examples.js";
import type { Freshness } from "@gpu-offers/store/freshness";

/** Sources of the offers, and the age of their prices. */
@ApiTags("Sources")
@CatalogAccess()
@Controller("sources")
export class SourcesController {
  #made: { snapshot: Snapshot; freshness: Freshness; list: TaggedBody } | undefined;

  constructor(private readonly catalog: Catalog) {}

  @Get()
  @ApiOperation({
    operationId: "listSources",
    summary: "List sources",
    description:
      "Returns the sources of the offers, live sources and imported files, and when their prices were last confirmed. To get the age of prices, subtract checkedAt or pricesAsOf from the current time.",
  })
  @ApiCached(sourceListSchema, exampleSourceList, "All sources.", { hasAge: false })
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited")
  list(): TaggedBody {
    const snapshot = this.catalog.getSnapshot();
    const { freshness } = this.catalog;
    // The body is rebuilt only when its content changes.
    if (this.#made?.snapshot !== snapshot || this.#made.freshness !== freshness) {
      const list: SourceList = {
        revision: snapshot.revision.revision,
        sources: freshness.describe(snapshot.countByProvider()),
      };
      this.#made = { snapshot, freshness, list: TaggedBody.ofJson(list) };
    }
    return this.#made.list;
  }
}
