import { Controller, Get, Param, Req, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  asSentence,
  excludedByParameter,
  launchPlanSchema,
  launchQuerySchema,
  listingDetailsSchema,
  listingListSchema,
  listingQuerySchema,
  MAX_PAGE_SIZE,
  OFFER_NOT_FOUND,
  osImageSchema,
  pageCounts,
  type LaunchQuery,
  type ListingSelection,
  type ListListingsQuery,
} from "@gpu-offers/domain";
import { launchPlan } from "@gpu-offers/domain/launching";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { CatalogAccess } from "../http/access.guard.js";
import { linesTag } from "../catalog/catalog-tag.js";
import { Representation } from "../catalog/snapshot.js";
import { bodyUnlessKnown, addVary, TaggedBody } from "../http/caching.js";
import { CatalogAccessRule } from "../http/catalog-access-rule.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { ApiCached, ApiErrors } from "../openapi/decorators.js";
import { exampleLaunchPlan, exampleListingDetails, exampleListingList, exampleOffer } from "../openapi/examples.js";
import { ApiError } from "../wire/api-error.js";
import { cacheControl } from "../wire/catalog-headers.js";
import { hasTag } from "../wire/entity-tag.js";
import { exchangeOf } from "../wire/exchange.js";
import { acceptsGzip, NDJSON_TYPE, wantsLines } from "../wire/accepted.js";
import { CompressedLines, listingLines } from "./listing-lines.js";
import { ListTurns } from "./list-turns.js";
import { ListingViewCache } from "./listing-view-cache.js";
import type { ListingView, Terms } from "./listing-view.js";

const idSchema = z.object({ id: z.string().meta({ description: "Offer identifier.", examples: [exampleOffer.id] }) });

/** Number of lines that count as one request for the rate limit: the maximum of a page. */
const ROWS_OF_A_REQUEST = MAX_PAGE_SIZE;

/** A query whose matches are sent as lines. */
interface LinesQuery {
  view: ListingView;
  selection: ListingSelection;
  terms: Terms;
  /** Whether it lists everything in the default order. */
  isWhole: boolean;
}

/** Offers with everything that their sources state: what to rent, who sells it, spot prices, ages. */
@ApiTags("Listings")
@CatalogAccess()
@Controller("listings")
export class ListingsController {
  readonly #compressed = new CompressedLines();
  readonly #turns = new ListTurns();

  constructor(
    private readonly views: ListingViewCache,
    private readonly rule: CatalogAccessRule,
  ) {}

  @Get()
  @ApiOperation({
    operationId: "listListings",
    summary: "List listings",
    description:
      "Returns a page of the offers that match all parameters, with what to rent, who sells it, spot prices and the age of the price. Available offers come first. With `Accept: application/x-ndjson`, the response has all matches of one catalog, one per line, and `page` and `size` have no effect.",
  })
  @ApiCached(listingListSchema, exampleListingList, "A page of matching listings.")
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited")
  async list(
    @ValidQuery(listingQuerySchema) query: ListListingsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const view = await this.views.get();
    const { selection, understood, problems } = view.catalog.prepare(query);
    if (problems.length > 0) {
      throw invalid(problems.map(({ parameter, reason }) => ({ name: parameter, reason })));
    }
    const terms = termsOf(query, selection);
    if (wantsLines(request.headers.accept)) {
      return this.#sendLines({ view, selection, terms, isWhole: listsEverything(query) }, request, reply);
    }
    const { positions, total, excludedBy } = view.catalog.select(selection, query);
    const listings = Array.from(positions, (position) => view.textAt(position, terms));
    const rest = {
      ...pageCounts(total, query),
      understood,
      ...(total === 0 && { excludedBy: excludedByParameter(excludedBy, query) }),
    };
    const body = Buffer.from(`{"listings":[${listings.join(",")}],${JSON.stringify(rest).slice(1)}`);
    const { etag, freshness } = view;
    return new Representation(view.snapshot, body, view.providersAt(positions), { listings: { etag, freshness } });
  }

  async #sendLines(
    { view, selection, terms, isWhole }: LinesQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const isCompressed = isWhole && acceptsGzip(request.headers["accept-encoding"]);
    const etag = linesTag(view.etag, isCompressed);
    reply.headers({ ETag: etag, "Cache-Control": cacheControl(this.rule.isKeyRequired, 0) });
    addVary(reply, "Accept, Accept-Encoding");
    if (hasTag(request.headers, etag)) {
      return bodyUnlessKnown(request, reply, { body: Buffer.alloc(0), etag }, NDJSON_TYPE);
    }
    if (!isCompressed) {
      await this.#turns.take(reply.raw);
    }
    const positions = view.catalog.index.selectAll(selection);
    const exchange = exchangeOf(request.raw);
    exchange?.wire.charge(exchange, Math.ceil(positions.length / ROWS_OF_A_REQUEST));
    reply.type(NDJSON_TYPE);
    if (isCompressed) {
      reply.header("Content-Encoding", "gzip");
      return this.#compressed.of(view);
    }
    return listingLines(view, positions, terms);
  }

  @Get(":id")
  @ApiOperation({
    operationId: "getListing",
    summary: "Get a listing",
    description: "Returns an offer with everything that its source states, and the OS images that it can boot.",
  })
  @ApiCached(listingDetailsSchema, exampleListingDetails, "The listing.", { hasAge: false })
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited", ["not_found", OFFER_NOT_FOUND])
  async get(@Param({ schema: idSchema }) { id }: { id: string }): Promise<TaggedBody> {
    const view = await this.views.get();
    const position = getPosition(view, id);
    const { instanceType } = view.factsAt(position);
    const images = view.imagesOf(view.offerAt(position).provider.name, instanceType);
    const listing = view.textAt(position, { isSpot: false });
    const list = JSON.stringify(images.map((image) => osImageSchema.parse(image)));
    return new TaggedBody(Buffer.from(`${listing.slice(0, -1)},"images":${list}}`));
  }

  @Get(":id/launch")
  @ApiOperation({
    operationId: "getLaunchPlan",
    summary: "Get commands that launch a listing",
    description:
      "Returns the parameters of a deployment and what to paste: a SkyPilot task, a dstack fleet, the provider's own command or API request. What isn't known, such as a key pair, is a placeholder in angle brackets. Nothing is launched.",
  })
  @ApiCached(launchPlanSchema, exampleLaunchPlan, "How to launch it.", { hasAge: false })
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited", ["not_found", OFFER_NOT_FOUND])
  async launch(
    @Param({ schema: idSchema }) { id }: { id: string },
    @ValidQuery(launchQuerySchema) query: LaunchQuery,
  ): Promise<TaggedBody> {
    const view = await this.views.get();
    const position = getPosition(view, id);
    const offer = view.offerAt(position);
    const images = view.catalog.names.images.get(offer.provider.name) ?? [];
    const { disk_gb: diskGb, os_image_id: osImageId, hours, spot } = query;
    const choice = { diskGb, osImageId, hours, isSpot: spot === "true" };
    return TaggedBody.ofJson(launchPlan({ offer, ...view.factsAt(position) }, images, choice));
  }
}

/** Whether a query lists everything in the default order. */
function listsEverything(query: ListListingsQuery): boolean {
  return Object.entries(query).every(([name, value]) => value === undefined || name === "page" || name === "size");
}

function termsOf({ hours }: ListListingsQuery, { filter }: ListingSelection): Terms {
  return { disk: filter.disk, hours, isSpot: filter.spot !== undefined };
}

/** @throws ApiError not_found if no offer has the id. */
function getPosition(view: ListingView, id: string): number {
  const position = view.snapshot.findPosition(id);
  if (position === undefined) {
    throw new ApiError("not_found", OFFER_NOT_FOUND);
  }
  return position;
}

function invalid(problems: readonly { name: string; reason: string }[]): ApiError {
  const sentences = problems.map(({ name, reason }) => asSentence(`${name} ${reason}`));
  const message = problems.length === 1 ? sentences.join("") : `${problems.length} problems: ${sentences.join(" ")}`;
  return new ApiError(
    "invalid_parameter",
    message,
    problems.map((problem) => ({ in: "query", ...problem })),
  );
}
