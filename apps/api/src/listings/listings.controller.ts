import { Controller, Get, Headers, Param, Version, VERSION_NEUTRAL } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  byTotal,
  excludedByParameter,
  launchPlanSchema,
  launchQuerySchema,
  listingDetailsSchema,
  ListingCursor,
  listingListSchema,
  MAX_PAGE_SIZE,
  OFFER_NOT_FOUND,
  onOffer,
  osImageSchema,
  pageCounts,
  queryPlanSchema,
  withDoorDefaults,
  type LaunchPlan,
  type LaunchQuery,
  type ListingSelection,
  type ListListingsQuery,
  type PositionBits,
  type QueryPlan,
} from "@gpu-offers/domain";
import {
  listingStockQuerySchema,
  listingStockSchema,
  stockSteps,
  type ListingStock,
  type ListingStockQuery,
} from "@gpu-offers/domain/history";
import { alikeQuery, askedDisk, isAlike, launchPlan, MAX_ALIKE, planOfTop } from "@gpu-offers/domain/launching";
import { listingQuerySchema, planQuerySchema, type PlanQuery } from "@gpu-offers/domain/query";
import { OfferStockStore } from "@gpu-offers/store/remembered-stock";
import * as z from "zod";
import { Representation } from "../catalog/snapshot.js";
import { Access } from "../http/access.guard.js";
import { TaggedBody, type Content } from "../http/content.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { CurrentExchange, UNITS } from "../http/work-units.js";
import { ApiCached } from "../openapi/decorators.js";
import {
  exampleLaunchPlan,
  exampleListingDetails,
  exampleListingList,
  exampleListingStock,
  exampleOffer,
  exampleQueryPlan,
} from "../openapi/examples.js";
import { wantsLines } from "../wire/accepted.js";
import { ApiError } from "../wire/api-error.js";
import type { Exchange } from "../wire/exchange.js";
import { inSlices } from "../wire/loop-turns.js";
import { ListTurns } from "./list-turns.js";
import { CompressedLines, LinesContent } from "./listing-lines.js";
import { ListingViewCache, type ListingView } from "./listing-view.js";

const HOUR_MS = 3_600_000;

const LIST_START = Buffer.from('{"listings":[');

const idSchema = z.object({ id: z.string().meta({ description: "Offer identifier.", examples: [exampleOffer.id] }) });

/** Offers with everything that their sources state: what to rent, who sells it, spot prices, ages. */
@ApiTags("Listings")
@Access("catalog")
@Controller({ version: ["2", VERSION_NEUTRAL] })
export class ListingsController {
  readonly #compressed = new CompressedLines();
  readonly #turns = new ListTurns();

  constructor(
    private readonly views: ListingViewCache,
    private readonly stocks: OfferStockStore,
  ) {}

  @Get("listings")
  @ApiOperation({
    summary: "List listings",
    description:
      "Returns a page of the offers that match all parameters, with what to rent, who sells it, spot prices and the age of the price. Available offers come first. With `Accept: application/x-ndjson`, the response has all matches of one catalog, one per line, and `page` and `size` have no effect.",
  })
  @ApiCached(listingListSchema, exampleListingList, "A page of matching listings.", { hasAge: true })
  async listListings(
    @ValidQuery(listingQuerySchema) query: ListListingsQuery,
    @Headers("accept") accept: string | undefined,
    @CurrentExchange() exchange: Exchange,
  ): Promise<Representation | Content> {
    if (wantsLines(accept)) {
      return this.#lines(query, exchange);
    }
    const view = this.views.get();
    exchange.admit(UNITS.listingPage(query, view.catalog.index.size));
    const { selection, terms, understood } = view.resolve(query);
    const { positions, total, excludedBy } = await inSlices(view.catalog.selecting(selection, query));
    const listings = view.write(positions, terms, ",");
    const rest = {
      ...pageCounts(total, query),
      understood,
      ...(total === 0 && { excludedBy: excludedByParameter(excludedBy, query) }),
    };
    const end = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
    const body = Buffer.concat([LIST_START, listings.subarray(0, -1), end]);
    const { etag, freshness } = view;
    return new Representation(view.snapshot, body, view.providersAt(positions), { listings: { etag, freshness } });
  }

  /** All matches as NDJSON. */
  #lines(query: ListListingsQuery, exchange: Exchange): LinesContent {
    const view = this.views.get();
    const rows = view.catalog.index.size;
    exchange.admit(UNITS.listingLines(query, rows, rows));
    const { selection, terms } = view.resolve(query);
    exchange.settle(UNITS.listingLines(query, rows, view.catalog.index.count(selection)));
    return new LinesContent(view, selection, terms, listsEverything(query) ? this.#compressed : undefined, this.#turns);
  }

  @Get("listings/:id")
  @ApiOperation({
    summary: "Get a listing",
    description: "Returns an offer with everything that its source states, and the OS images that it can boot.",
  })
  @ApiCached(listingDetailsSchema, exampleListingDetails, "The listing.", { notFound: OFFER_NOT_FOUND })
  getListing(@Param({ schema: idSchema }) { id }: { id: string }): TaggedBody {
    const { view, position } = this.#find(id);
    const { offer, instanceType } = view.listingAt(position);
    const images = view.imagesOf(offer.provider.name, instanceType);
    const listing = view.write([position], { isSpot: false }, ",").toString("utf8");
    const list = JSON.stringify(images.map((image) => osImageSchema.parse(image)));
    return TaggedBody.of(`${listing.slice(0, -2)},"images":${list}}`);
  }

  @Get("listings/:id/stock")
  @ApiOperation({
    summary: "Get when a listing was in stock",
    description:
      "Returns the hours or days of the last 14 days in which the stock of an offer was observed. An observation holds until the next one, but for at most two intervals of its source.",
  })
  @ApiCached(listingStockSchema, exampleListingStock, "When it was in stock.", { notFound: OFFER_NOT_FOUND })
  async getListingStock(
    @Param({ schema: idSchema }) { id: start }: { id: string },
    @ValidQuery(listingStockQuerySchema) { since, step }: ListingStockQuery,
    @CurrentExchange() exchange: Exchange,
  ): Promise<TaggedBody> {
    const { view, position } = this.#find(start);
    exchange.admit(UNITS.stock);
    const { id, provider } = view.listingAt(position).offer;
    const observed = await this.stocks.find(id, provider.name);
    const sinceMs = since === undefined ? undefined : Date.parse(since);
    const steps = observed === undefined ? [] : stockSteps(observed.spansSince(sinceMs), step);
    const stock: ListingStock = {
      id,
      asOf: observed?.asOf ?? null,
      stock14d: observed?.sum ?? null,
      step,
      steps: steps.map(({ atMs, observedMs, inStockMs }) => ({
        at: new Date(atMs).toISOString(),
        observedHours: observedMs / HOUR_MS,
        inStockHours: inStockMs / HOUR_MS,
      })),
    };
    return TaggedBody.ofJson(stock);
  }

  @Get("listings/:id/launch")
  @ApiOperation({
    summary: "Get commands that launch a listing",
    description:
      "Returns the parameters of a deployment and what to paste: a SkyPilot task, a dstack fleet, the provider's own command or API request. What isn't known, such as a key pair, is a placeholder in angle brackets. Nothing is launched.",
  })
  @ApiCached(launchPlanSchema, exampleLaunchPlan, "How to launch it.", { notFound: OFFER_NOT_FOUND })
  async getLaunchPlan(
    @Param({ schema: idSchema }) { id }: { id: string },
    @ValidQuery(launchQuerySchema) query: LaunchQuery,
    @CurrentExchange() exchange: Exchange,
  ): Promise<TaggedBody> {
    const { view, position } = this.#find(id);
    exchange.admit(UNITS.planOfTop(query, view.catalog.index.size));
    return TaggedBody.ofJson(await planAt(view, position, query));
  }

  @Version("2")
  @Get("plan")
  @ApiOperation({
    summary: "Get commands that launch the best match",
    description:
      "Finds listings like `GET /api/v2/listings`, without unverified hosts and what is sold out, cheapest with the disk first, and returns how to launch the first one that is for sale. With `top`, SkyPilot and dstack take the first of several matches of its GPU and count.",
  })
  @ApiCached(queryPlanSchema, exampleQueryPlan, "How to launch it.")
  async getPlan(
    @ValidQuery(planQuerySchema) query: PlanQuery,
    @CurrentExchange() exchange: Exchange,
  ): Promise<TaggedBody> {
    const { os_image_id, ceiling, nodes, top, ...given } = query;
    const asked = withDoorDefaults(onOffer(byTotal(given, true)));
    const view = this.views.get();
    const rows = view.catalog.index.size;
    exchange.admit(UNITS.listingPage(asked, rows) + UNITS.planOfTop(query, 0));
    const { selection, terms, understood, wished } = view.resolve(asked);
    const { fits, hours } = wished;
    const disk = askedDisk(wished);
    const isForSale = (at: number): boolean => !view.factsAt(at).sample;
    let found = await inSlices(view.catalog.selecting(selection, { page: 0, size: MAX_PAGE_SIZE }));
    if (found.total > MAX_PAGE_SIZE && !found.positions.some(isForSale)) {
      found = await inSlices(view.catalog.selecting(selection, { page: 0, size: rows }));
    }
    const { positions, matches, excludedBy } = found;
    const best = positions.find(isForSale) ?? positions[0];
    if (best === undefined) {
      const excluded = excludedByParameter(excludedBy, query);
      return TaggedBody.ofJson({ ...NOTHING, understood, excludedBy: excluded });
    }
    const spot = terms.isSpot ? ("true" as const) : undefined;
    const choice = { disk, fits, hours, spot, os_image_id, ceiling, nodes, top };
    const listing = view
      .write([best], { ...terms, disk, hours }, ",")
      .toString("utf8")
      .slice(0, -1);
    const plan = JSON.stringify({ ...(await planAt(view, best, choice, { selection, matches })), understood });
    return TaggedBody.of(`{"listing":${listing},${plan.slice(1)}`);
  }

  #find(id: string): { view: ListingView; position: number } {
    const view = this.views.get();
    const position = view.positionOf(id);
    if (position === undefined) {
      throw new ApiError("not_found", OFFER_NOT_FOUND);
    }
    return { view, position };
  }
}

const NOTHING: Omit<QueryPlan, "understood"> = {
  listing: null,
  sample: false,
  deployment: null,
  problems: [{ field: "query", reason: "No offers match." }],
  total: null,
  diskGb: null,
  ceiling: null,
  notes: [],
  launch: [],
  missing: [],
  rentUrl: null,
};

/** How to launch the listing at a position, or the first of `top` of its GPU and count; with `among`, of these matches. */
async function planAt(
  view: ListingView,
  position: number,
  query: LaunchQuery,
  among?: { selection: ListingSelection; matches: PositionBits },
): Promise<LaunchPlan> {
  const listing = view.listingAt(position);
  const provider = listing.offer.provider.name;
  const images = view.catalog.names.images.get(provider) ?? [];
  const { disk: diskGb, fits, os_image_id: osImageId, hours, spot, ceiling: ceilingPercent, nodes, top = 1 } = query;
  const pricesAsOf = view.pricesAsOf(provider);
  const choice = { diskGb, fits, osImageId, hours, isSpot: spot === "true", ceilingPercent, nodes, pricesAsOf };
  const plan = launchPlan(listing, images, choice);
  if (top === 1) {
    return plan;
  }
  if (among === undefined) {
    return planOfTop(plan, await view.find(alikeQuery(listing, choice)), top, choice);
  }
  const { index } = view.catalog;
  const isWanted = isAlike.bind(undefined, listing);
  const alike = index.groups.decide("machine", new ListingCursor(index.parts), isWanted, among.matches);
  // Of the filter, only `spot` still matters: it chooses the prices.
  const { filter, sort } = among.selection;
  const selection = { filter: { spot: filter.spot }, sort, words: alike };
  const { positions } = await inSlices(index.selecting(selection, { page: 0, size: MAX_ALIKE }));
  return planOfTop(plan, view.listingsAt(positions), top, choice);
}

function listsEverything(query: ListListingsQuery): boolean {
  return Object.entries(query).every(([name, value]) => value === undefined || name === "page" || name === "size");
}
