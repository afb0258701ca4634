import {
  asSentence,
  DOOR_DEFAULTS,
  DEFAULT_PAGE_SIZE,
  excludedByParameter,
  LISTING_PARAMETERS,
  listingArgumentShape,
  leftOut,
  MAX_PAGE_SIZE,
  NOT_SOLD_OUT,
  paidDisk,
  pricedOffer,
  queryOfArguments,
  understoodText,
  type DoorWords,
  type FilteredListing,
  type ListingCatalog,
  type ListingParameterName,
  type PreparedQuery,
  type QueryProblem,
} from "@gpu-offers/domain";
import * as z from "zod";
import type { AgentCatalog } from "./agent-catalog.js";
import { offerRow } from "./offer-row.js";
import { oldestOf, readPriceTimes } from "./oldest-price.js";
import type { Tool } from "./tool.js";

/** Maximum number of GPUs in the result, to keep it small: a vendor has a hundred. */
const MAX_GPUS = 12;

const MAX_LIMIT = Math.min(DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);

// The arguments are those of the one query of listings; these have defaults of their own.
const input = z.strictObject({
  ...listingArgumentShape({ ...DOOR_DEFAULTS, sort_by: "total" }),
  limit: z.int().min(1).max(MAX_LIMIT).default(5),
});

const output = z.object({
  total: z.number(),
  // The fields of a row are in offer-row.ts; listing them here would cost every agent a hundred tokens.
  offers: z.array(z.looseObject({ id: z.string(), usdPerHour: z.number() })),
  pricesAsOf: z.string().nullable().describe("Oldest known price"),
  gpus: z.array(z.string()).optional(),
  understood: z.array(z.string()).optional(),
  leftOut: z.record(z.string(), z.number()).optional().describe("By defaults"),
  excludedBy: z.record(z.string(), z.number()).optional().describe("Matches without each argument"),
});

type Input = z.output<typeof input>;

/** `find_gpu_offers`: the cheapest offers that meet all conditions, priced including the disk. */
export function findGpuOffers(catalog: AgentCatalog): Tool<typeof input, typeof output> {
  // The run evaluates what the check has prepared, in the same catalog.
  const preparedOf = new WeakMap<Partial<Input>, Promise<Prepared>>();
  const prepareOnce = (wanted: Partial<Input>): Promise<Prepared> => {
    const prepared = preparedOf.get(wanted) ?? prepare(catalog, wanted);
    preparedOf.set(wanted, prepared);
    return prepared;
  };
  return {
    name: "find_gpu_offers",
    title: "Find GPU offers",
    description:
      "Find rentable GPU instances across clouds, cheapest first including the disk. atLeast marks lower bounds, which come last; diskUnknown prices without a disk. sample rows aren't for sale. Rows omit what is unknown.",
    input,
    output,
    check: async (wanted) => problemTexts((await prepareOnce(wanted)).problems),
    run: async (wanted) => {
      const { query, listings, selection, understood } = await prepareOnce(wanted);
      const { filter } = selection;
      const found = listings.select(selection, { page: query.page ?? 0, size: wanted.limit });
      const shown = Array.from(found.positions, (position) => listings.index.listingAt(position));
      const isSpot = filter.spot !== undefined;
      const times = await readPriceTimes(catalog);
      const row = async (listing: FilteredListing) => {
        const offer = pricedOffer(listing, isSpot);
        const { stockLevel, stock14d, providerOfferId = null } = (await catalog.findOffer(offer.id))?.listing ?? {};
        return offerRow(offer, paidDisk(offer, filter.disk), {
          ...listing,
          stockLevel,
          stock14d,
          providerOfferId,
          isSpot,
          pricesAsOf: times.get(offer.provider.name),
        });
      };
      const omitted = leftOut(filter, found.excludedBy).map(({ name, count }) => [argumentOf(name), count]);
      return {
        total: found.total,
        offers: await Promise.all(shown.map(row)),
        pricesAsOf: oldestOf(shown.flatMap(({ offer }) => times.get(offer.provider.name) ?? [])),
        ...(filter.gpu === undefined || filter.gpu.length > MAX_GPUS ? {} : { gpus: [...filter.gpu] }),
        ...(understood.length === 0 ? {} : { understood: understood.map(understoodText) }),
        ...(omitted.length === 0 ? {} : { leftOut: Object.fromEntries(omitted) }),
        ...(found.total === 0 ? { excludedBy: excludedByParameter(found.excludedBy, query, argumentOf) } : {}),
      };
    },
  };
}

/** A query and the catalog that it is prepared for. */
interface Prepared extends PreparedQuery {
  listings: ListingCatalog;
}

/** Hints as arguments are written. */
const ARGUMENT_WORDS: DoorWords = {
  assign: (parameter, value) => `${argumentOf(parameter)} ${JSON.stringify(value)}`,
  nameOf: argumentOf,
  gpus: "list_gpus",
};

function argumentOf(parameter: ListingParameterName): string {
  return LISTING_PARAMETERS[parameter].argument;
}

async function prepare(catalog: AgentCatalog, wanted: Partial<Input>): Promise<Prepared> {
  const given = queryOfArguments(wanted);
  const isStockGiven = given.available !== undefined || given.availability !== undefined;
  const query = isStockGiven ? given : { ...given, availability: NOT_SOLD_OUT };
  const listings = await catalog.listings();
  return { listings, ...listings.prepare(query, ARGUMENT_WORDS), query };
}

/** Problems with the names of arguments, as sentences. */
function problemTexts(problems: readonly QueryProblem[]): string[] {
  return problems.map(({ parameter, reason }) => asSentence(`${argumentOf(parameter)}: ${reason}`));
}
