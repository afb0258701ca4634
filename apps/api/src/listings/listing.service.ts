import { Injectable } from "@nestjs/common";
import {
  byTotal,
  excludedByParameter,
  OFFER_NOT_FOUND,
  osImageSchema,
  pageCounts,
  onOffer,
  withDoorDefaults,
  type LaunchPlan,
  type LaunchQuery,
  type ListingQuery,
  type ListListingsQuery,
  type QueryPlan,
} from "@gpu-offers/domain";
import { stockSteps, type ListingStock, type ListingStockQuery } from "@gpu-offers/domain/history";
import { alikeQuery, launchPlan, planOfTop } from "@gpu-offers/domain/launching";
import type { PlanQuery } from "@gpu-offers/domain/query";
import { OfferStockStore } from "@gpu-offers/store/remembered-stock";
import { Representation } from "../catalog/snapshot.js";
import { TaggedBody } from "../http/content.js";
import { UNITS } from "../http/work-units.js";
import { ApiError, invalidParameters } from "../wire/api-error.js";
import type { Exchange } from "../wire/exchange.js";
import { inSlices } from "../wire/loop-turns.js";
import { ListTurns } from "./list-turns.js";
import { CompressedLines, LinesContent } from "./listing-lines.js";
import { ListingViewCache, type ListingView, type Terms } from "./listing-view.js";

const HOUR_MS = 3_600_000;

const LIST_START = Buffer.from('{"listings":[');

/** The responses of operations on listings. */
@Injectable()
export class ListingService {
  readonly #compressed = new CompressedLines();
  readonly #turns = new ListTurns();

  constructor(
    private readonly views: ListingViewCache,
    private readonly stocks: OfferStockStore,
  ) {}

  /** A page of listings. @throws ApiError if parameters contradict each other, or if its caller has too few units left. */
  async page(query: ListListingsQuery, exchange: Exchange): Promise<Representation> {
    const view = this.views.get();
    const rows = view.catalog.index.size;
    exchange.admit(UNITS.listingPage(query, rows));
    const { selection, terms, understood } = resolve(view, query);
    const { positions, total, excludedBy } = await inSlices(view.catalog.selecting(selection, query));
    exchange.settle(UNITS.listingPage(query, rows, total));
    const listings = view.write(positions, terms, ",");
    const rest = {
      ...pageCounts(total, query),
      understood,
      ...(total === 0 && { excludedBy: excludedByParameter(excludedBy, query) }),
    };
    const body = Buffer.concat([
      LIST_START,
      listings.subarray(0, -1),
      Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
    ]);
    const { etag, freshness } = view;
    return new Representation(view.snapshot, body, view.providersAt(positions), { listings: { etag, freshness } });
  }

  /** All matches as NDJSON. @throws ApiError like {@link ListingService.page}. */
  lines(query: ListListingsQuery, exchange: Exchange): LinesContent {
    const view = this.views.get();
    const rows = view.catalog.index.size;
    exchange.admit(UNITS.listingLines(query, rows, rows));
    const { selection, terms } = resolve(view, query);
    exchange.settle(UNITS.listingLines(query, rows, view.catalog.index.count(selection)));
    return new LinesContent(view, selection, terms, listsEverything(query) ? this.#compressed : undefined, this.#turns);
  }

  /** A listing with the images that it can boot. @throws ApiError not_found. */
  get(id: string): TaggedBody {
    const { view, position } = this.#find(id);
    const { offer, instanceType } = view.listingAt(position);
    const images = view.imagesOf(offer.provider.name, instanceType);
    const listing = view.write([position], { isSpot: false }, ",").toString("utf8");
    const list = JSON.stringify(images.map((image) => osImageSchema.parse(image)));
    return new TaggedBody(Buffer.from(`${listing.slice(0, -2)},"images":${list}}`));
  }

  /** When a listing was in stock. @throws ApiError not_found, or if its caller has too few units left. */
  async stock(start: string, { since, step }: ListingStockQuery, exchange: Exchange): Promise<TaggedBody> {
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

  /** How to launch a listing. @throws ApiError not_found, or if its caller has too few units left. */
  async plan(id: string, query: LaunchQuery, exchange: Exchange): Promise<TaggedBody> {
    const { view, position } = this.#find(id);
    exchange.admit(UNITS.planOfTop(query, view.catalog.index.size));
    return TaggedBody.ofJson(await planAt(view, position, query));
  }

  /**
   * How to launch the best match that is for sale, or else of the sample.
   * @throws ApiError if parameters contradict each other, or if its caller has too few units left.
   */
  async planOfQuery(query: PlanQuery, exchange: Exchange): Promise<TaggedBody> {
    const { os_image_id, ceiling, nodes, top, ...given } = query;
    const asked = withDoorDefaults(onOffer(byTotal(given, true)));
    const view = this.views.get();
    const rows = view.catalog.index.size;
    exchange.admit(UNITS.listingPage(asked, rows) + UNITS.planOfTop(query, rows));
    const { selection, terms, understood, wished } = resolve(view, asked);
    const { disk, fits, hours } = wished;
    const { positions, total, excludedBy } = await inSlices(view.catalog.selecting(selection, { page: 0, size: rows }));
    exchange.settle(UNITS.listingPage(asked, rows, total) + UNITS.planOfTop(query, rows));
    const best = positions.find((at) => !view.factsAt(at).sample) ?? positions[0];
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
    const plan = JSON.stringify({ ...(await planAt(view, best, choice, asked)), understood });
    return new TaggedBody(Buffer.from(`{"listing":${listing},${plan.slice(1)}`));
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

/** How to launch the listing at a position, or the first of `top` of its GPU and count; with `asked`, of this query. */
async function planAt(
  view: ListingView,
  position: number,
  query: LaunchQuery,
  asked: ListingQuery = {},
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
  const alike = alikeQuery(listing, choice);
  const { gpu, min_gpu_count, max_gpu_count, size } = alike;
  const found = await view.find({ ...alike, ...asked, gpu, min_gpu_count, max_gpu_count, size });
  return planOfTop(plan, found, top, choice);
}

/** Resolves a query; `wished` has what its words wish for. @throws ApiError if parameters contradict each other. */
function resolve(view: ListingView, query: ListingQuery) {
  const { selection, understood, problems, query: wished } = view.catalog.prepare(query);
  if (problems.length > 0) {
    throw invalidParameters(problems.map(({ parameter: name, reason }) => ({ name, reason })));
  }
  const { disk, spot } = selection.filter;
  const terms: Terms = { disk, hours: query.hours, isSpot: spot !== undefined };
  return { selection, understood, wished, terms };
}

/** Whether a query lists everything in the default order. */
function listsEverything(query: ListListingsQuery): boolean {
  return Object.entries(query).every(([name, value]) => value === undefined || name === "page" || name === "size");
}
