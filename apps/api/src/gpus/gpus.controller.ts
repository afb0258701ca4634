import { Controller, Get, Param, VERSION_NEUTRAL } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import { nearestGpus, type GpuPricesQuery } from "@gpu-offers/domain";
import { gpuEntrySchema, gpuListSchema, gpuPricesQuerySchema, gpuPricesSchema } from "@gpu-offers/domain/gpus";
import { gpuStockSchema } from "@gpu-offers/domain/history";
import * as z from "zod";
import { Catalog } from "../catalog/catalog.js";
import { Access } from "../http/access.guard.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { EncodedContent, TaggedBody } from "../http/content.js";
import { CurrentExchange, UNITS } from "../http/work-units.js";
import { ApiCached } from "../openapi/decorators.js";
import { exampleGpu, exampleGpuPrices, exampleGpuStock } from "../openapi/examples.js";
import type { Exchange } from "../wire/exchange.js";
import { ListingViewCache } from "../listings/listing-view.js";
import { GPU_NOT_FOUND, gpuNotFound, selectSlugs } from "../listings/gpu-market.js";
import { GpuPriceReader } from "./gpu-prices.js";

const slugSchema = (description: string, example: string) =>
  z.object({
    slug: z
      .string()
      .max(100)
      .meta({ description, examples: [example] }),
  });
const gpuSchema = slugSchema("GPU slug, such as `h100-sxm`.", exampleGpu.slug);
const nameSchema = slugSchema(
  "GPU slug or family: `h100` means all of its forms, `=h100` the slug alone.",
  exampleGpuPrices.gpu,
);

/** GPU models with their facts, and what they cost now and over time. */
@ApiTags("GPUs")
@Access("catalog")
@Controller({ path: "gpus", version: ["2", VERSION_NEUTRAL] })
export class GpusController {
  constructor(
    private readonly catalog: Catalog,
    private readonly views: ListingViewCache,
    private readonly reader: GpuPriceReader,
  ) {}

  @Get()
  @ApiOperation({
    summary: "List GPUs",
    description:
      "Returns every GPU model that is known or listed: its slug for the `gpu` filter, published figures with their sources, and what it costs now. The response is compressed if you accept that. Figures are per GPU and dense, without sparsity; null is unknown.",
  })
  @ApiCached(gpuListSchema, { gpus: [exampleGpu] }, "All GPUs.")
  listGpus(): EncodedContent {
    return this.views.get().market.list;
  }

  @Get(":slug")
  @ApiOperation({
    summary: "Get a GPU",
    description: "Returns a GPU by its slug. For an unknown slug, the error names the nearest ones.",
  })
  @ApiCached(gpuEntrySchema, exampleGpu, "The GPU.", { notFound: GPU_NOT_FOUND })
  getGpu(@Param({ schema: gpuSchema }) { slug }: { slug: string }, @CurrentExchange() exchange: Exchange): TaggedBody {
    const { market } = this.views.get();
    const found = market.find(slug);
    if (found === undefined) {
      exchange.admit(UNITS.nearGpus);
      return gpuNotFound(nearestGpus(slug, market.snapshot.listedGpus));
    }
    return found;
  }

  @Get(":slug/prices")
  @ApiOperation({
    summary: "Get the prices of a GPU over time",
    description:
      "Returns prices per GPU over time, by nearest rank over all offers that were rentable. There is a point for each hour, day or week in which a seller was observed, with how many of the known ones; the sample that ships is never recorded. A file counts on its date. `change` compares the same machines. The operator sets how long prices are kept (HISTORY_DAYS).",
  })
  @ApiCached(gpuPricesSchema, exampleGpuPrices, "The prices.", { notFound: GPU_NOT_FOUND })
  async getGpuPrices(
    @Param({ schema: nameSchema }) { slug }: { slug: string },
    @ValidQuery(gpuPricesQuerySchema) query: GpuPricesQuery,
    @CurrentExchange() exchange: Exchange,
  ): Promise<EncodedContent> {
    const { market } = this.views.get();
    exchange.admit(UNITS.nearGpus);
    const slugs = selectSlugs(slug, market.snapshot.listedGpus);
    const charge = (units: number): void => exchange.admit(UNITS.nearGpus + units);
    const prices = await this.reader.read(slug, slugs, query, this.catalog.nowMs, charge);
    return EncodedContent.of(Buffer.from(JSON.stringify(prices)), undefined, true);
  }

  @Get(":slug/stock")
  @ApiOperation({
    summary: "Get how often a GPU was in stock",
    description:
      "Returns how often instances with a GPU were in stock in the last 14 days, when they were last seen, how long one had to wait and when they came back: by provider, size and region, for sources that know stock. An observation holds until the next one, but for at most two intervals of its source.",
  })
  @ApiCached(gpuStockSchema, exampleGpuStock, "How often it was in stock.", { notFound: GPU_NOT_FOUND })
  getGpuStock(
    @Param({ schema: nameSchema }) { slug }: { slug: string },
    @CurrentExchange() exchange: Exchange,
  ): TaggedBody {
    const { snapshot, etag } = this.views.get();
    exchange.admit(UNITS.nearGpus);
    const head = JSON.stringify({ gpu: slug, asOf: snapshot.stock.asOf }).slice(0, -1);
    const lists = selectSlugs(slug, snapshot.listedGpus).flatMap((one) => snapshot.stock.gpus.get(one) ?? []);
    const rows = lists.flatMap((list, index) => [index === 0 ? "" : ",", list]);
    return TaggedBody.ofPieces(etag, [`${head},"stock":[`, ...rows, "]}"]);
  }
}
