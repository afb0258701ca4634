import { Controller, Get, VERSION_NEUTRAL } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import { sourceListSchema, type SourceList } from "@gpu-offers/domain";
import { Catalog } from "../catalog/catalog.js";
import { Access } from "../http/access.guard.js";
import { TaggedBody } from "../http/content.js";
import { ApiCached } from "../openapi/decorators.js";
import { exampleSourceList } from "../openapi/examples.js";

/** Sources of the offers, and the age of their prices. */
@ApiTags("Sources")
@Access("catalog")
@Controller({ path: "sources", version: ["2", VERSION_NEUTRAL] })
export class SourcesController {
  readonly #list: () => TaggedBody;

  constructor(catalog: Catalog) {
    this.#list = catalog.derive((snapshot, freshness) =>
      TaggedBody.ofJson({
        revision: snapshot.revision.revision,
        sources: freshness.describe(snapshot.countByProvider()),
      } satisfies SourceList),
    );
  }

  @Get()
  @ApiOperation({
    summary: "List sources",
    description:
      "Returns the sources of the offers, live sources and imported files, and when their prices were last confirmed. To get the age of prices, subtract checkedAt or pricesAsOf from the current time.",
  })
  @ApiCached(sourceListSchema, exampleSourceList, "All sources.")
  listSources(): TaggedBody {
    return this.#list();
  }
}
