import { createParamDecorator, type ExecutionContext } from "@nestjs/common";
import {
  DEFAULT_PAGE_SIZE,
  LISTING_PARAMETER_NAMES,
  queryOfArguments,
  type LaunchQuery,
  type ListingQuery,
} from "@gpu-offers/domain";
import type { FastifyRequest } from "fastify";
import { exchangeOf, type Exchange } from "../wire/exchange.js";

// What requests cost, in units of the rate limit. A unit is about the processor time of a page of v1's offers that was not
// requested before. Requests that aren't named here cost one. The stress test that searches for the most expensive request
// compares what it finds with these estimates.

/** How much of each kind of work is one unit. */
const AMOUNT_OF_A_UNIT = {
  /** Rows that are looked at, for all filters and the order together. */
  rowsRead: 10_000,
  /** Words and names that are looked for among those of the catalog. */
  names: 1,
  rowsSent: 100,
  /** Hours, days or weeks of a series. */
  pointsRead: 20,
  /** GPUs whose machines are compared. */
  gpusCompared: 1,
};

/** Points of a series for agents, at most, and GPUs of a family. */
const POINTS_OF_AGENTS = 53;
const USUAL_GPUS = 4;

const MAX_NAMES = 50;

type Work = Partial<typeof AMOUNT_OF_A_UNIT>;

function unitsOf(work: Work): number {
  const kinds = Object.keys(work) as (keyof Work)[];
  return Math.ceil(kinds.reduce((sum, kind) => sum + (work[kind] ?? 0) / AMOUNT_OF_A_UNIT[kind], 0));
}

/** The units of each kind of request; `rows` are those of the catalog. */
export const UNITS = {
  listingPage: (query: ListingQuery, rows: number): number =>
    unitsOf({ ...searchWork(query, rows), rowsSent: query.size ?? DEFAULT_PAGE_SIZE }),
  /** How to launch one of several listings; `rows` are those that are searched for the others. */
  planOfTop: ({ top = 1 }: Pick<LaunchQuery, "top">, rows: number): number =>
    top === 1 ? 0 : unitsOf({ rowsRead: 2 * rows, rowsSent: 300 }),
  /** All listings that match, one per line. How many do is known afterwards. */
  listingLines: (query: ListingQuery, rows: number, matches: number): number =>
    unitsOf({ ...searchWork(query, rows), rowsSent: matches }),
  /** Near names of an unknown GPU. */
  nearGpus: 10,
  gpuPrices: (points: number, gpus: number): number => unitsOf({ pointsRead: points, gpusCompared: gpus }),
  /** When one listing was in stock. */
  stock: 10,
  /** All listings for the page. They are compressed once, and decompressed for clients that want that. */
  pageData: 10,
  /** A page of GPUs, without its prices over time. */
  gpuPage: 10,
  metrics: 10,
  /** A message to the agents' tools, for which their server is made. A search has arguments like a page of listings. */
  agentMessage: (body: unknown, rows: number): number => {
    const { name, arguments: given } = paramsOf(body);
    // A search is by the total price unless told otherwise.
    const query: ListingQuery = { sort_by: "total", ...queryOfArguments(given) };
    const search = name === "find_gpu_offers" ? UNITS.listingPage(query, rows) : 0;
    const prices = name === "get_gpu_prices" ? UNITS.nearGpus + UNITS.gpuPrices(POINTS_OF_AGENTS, USUAL_GPUS) : 0;
    const plan = name === "quote_gpu_deployment" ? UNITS.planOfTop({ top: Number(given["top"] ?? 1) }, rows) : 0;
    return 10 + search + prices + plan;
  },
};

function searchWork(query: ListingQuery, rows: number): Work {
  return { rowsRead: rows, names: LISTING_PARAMETER_NAMES.reduce((sum, name) => sum + namesIn(query[name]), 0) };
}

function namesIn(value: unknown): number {
  const count = Array.isArray(value) ? value.length : typeof value === "string" ? value.split(/[\s,|]+/).length : 0;
  return Math.min(count, MAX_NAMES);
}

/** The tool that a message calls, and its arguments, which are not validated yet. */
function paramsOf(body: unknown): { name: unknown; arguments: Readonly<Record<string, unknown>> } {
  const { params } = Object(body) as { params?: unknown };
  const { name, arguments: given } = Object(params) as { name?: unknown; arguments?: unknown };
  return { name, arguments: Object(given) as Record<string, unknown> };
}

/** Handler parameter: the exchange of the request, which takes units from its caller. */
export const CurrentExchange = createParamDecorator((_: unknown, context: ExecutionContext): Exchange =>
  exchangeOf(context.switchToHttp().getRequest<FastifyRequest>().raw),
);
