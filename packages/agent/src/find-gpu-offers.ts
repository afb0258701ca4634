import {
  asSentence,
  byTotal,
  DOOR_DEFAULTS,
  DEFAULT_PAGE_SIZE,
  excludedByParameter,
  LISTING_PARAMETERS,
  leftOut,
  MAX_PAGE_SIZE,
  memoryNeed,
  onOffer,
  paidDisk,
  pricedOffer,
  queryOfArguments,
  understoodText,
  weightsDiskGb,
  type DoorWords,
  type FilteredListing,
  type ListingCatalog,
  type ListingParameterName,
  type ModelNeed,
  type PreparedQuery,
  type QueryProblem,
} from "@gpu-offers/domain";
import { listingArgumentShape } from "@gpu-offers/domain/query";
import * as z from "zod";
import type { AgentCatalog } from "./agent-catalog.js";
import { offerRow } from "./offer-row.js";
import { ageOf, readPriceTimes } from "./oldest-price.js";
import type { Tool } from "./tool.js";

/** Maximum number of GPUs in the result, to keep it small: a vendor has a hundred. */
const MAX_GPUS = 12;

const MAX_LIMIT = Math.min(DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);

// The arguments are those of the one query of listings. The order is no default of its argument, because words may say one.
const input = z.strictObject({
  ...listingArgumentShape(DOOR_DEFAULTS),
  limit: z.int().min(1).max(MAX_LIMIT).default(5),
  nodes: z
    .int()
    .min(1)
    .max(1000)
    .describe("Equal machines: usdTotal (of an hour, or hours) and budgetUsd are for all")
    .optional(),
  cheapestPer: z.enum(["provider", "gpu", "country"]).describe("Only the first of each").optional(),
});

const output = z.object({
  total: z.number(),
  // The fields of a row are in offer-row.ts; listing them here would cost every agent a hundred tokens.
  offers: z.array(z.looseObject({ id: z.string(), usdPerHour: z.number() })),
  pricesAsOf: z.string().nullable().describe("Oldest known price"),
  ageDays: z.number().nullable(),
  fits: z.object({ memoryGb: z.number(), diskGb: z.number(), assumed: z.array(z.string()) }).optional(),
  gpus: z.array(z.string()).optional(),
  understood: z.array(z.string()).optional(),
  leftOut: z.record(z.string(), z.number()).optional().describe("Number by default"),
  excludedBy: z.record(z.string(), z.number()).optional().describe("Matches without each argument"),
});

type Input = z.output<typeof input>;

/** `find_gpu_offers`: the cheapest offers that meet all conditions, priced including the disk. */
export function findGpuOffers(catalog: AgentCatalog): Tool<typeof input, typeof output> {
  // The run evaluates what the check has prepared, in the same catalog.
  const preparedOf = new WeakMap<Partial<Input>, ReturnType<typeof prepare>>();
  const prepareOnce = (wanted: Partial<Input>) => {
    const prepared = preparedOf.get(wanted) ?? prepare(catalog, wanted);
    preparedOf.set(wanted, prepared);
    return prepared;
  };
  return {
    name: "find_gpu_offers",
    title: "Find GPU offers",
    description:
      "Find rentable GPU instances across clouds, cheapest first including the disk. usdPerHour is the machine alone; usdPerHourWithDisk adds diskGb, the disk you asked for or the smallest it must have; usdTotal is for hours. atLeast marks lower bounds, which come last; diskUnknown prices without a disk. sample rows aren't for sale. total lacks, unless asked for, unverified hosts (counted in leftOut) and sold-out offers. Rows omit what is unknown.",
    input,
    output,
    check: async (wanted) => {
      const { isEndless, problems } = await prepareOnce(wanted);
      return [...(isEndless ? [ENDLESS] : []), ...problemTexts(problems)];
    },
    run: async (wanted) => {
      const { query, listings, selection, understood, machineHours } = await prepareOnce(wanted);
      const { filter } = selection;
      const { cheapestPer, limit } = wanted;
      const page = query.page ?? 0;
      const found =
        cheapestPer === undefined
          ? listings.select(selection, { page, size: limit })
          : firstOfEach(cheapestPer, listings, selection, { page, size: limit });
      const shown = Array.from(found.positions, (position) => listings.index.listingAt(position));
      const isSpot = filter.spot !== undefined;
      const times = await readPriceTimes(catalog);
      const row = async (listing: FilteredListing) => {
        const offer = pricedOffer(listing, isSpot);
        const facts = (await catalog.findOffer(offer.id))?.listing;
        return offerRow(offer, paidDisk(offer, filter.disk), {
          ...facts,
          ...listing,
          stock14d: facts?.stock14d,
          providerOfferId: facts?.providerOfferId ?? null,
          isSpot,
          machineHours,
          pricesAsOf: times.get(offer.provider.name),
        });
      };
      const omitted = leftOut(filter, found.excludedBy).map(({ name, count }) => [argumentOf(name), count]);
      return {
        total: found.total,
        offers: await Promise.all(shown.map(row)),
        ...ageOf(shown.flatMap(({ offer }) => times.get(offer.provider.name) ?? [])),
        fits: filter.fits && needOf(filter.fits.wanted),
        gpus: filter.gpu && filter.gpu.length <= MAX_GPUS ? [...filter.gpu] : undefined,
        understood: understood.length === 0 ? undefined : understood.map(understoodText),
        leftOut: omitted.length === 0 ? undefined : Object.fromEntries(omitted),
        excludedBy: found.total === 0 ? excludedByParameter(found.excludedBy, query, argumentOf) : undefined,
      };
    },
  };
}

const ENDLESS = "budgetUsd: needs hours, for which it must last: 24, or 730 for a month.";

const KEYS: Readonly<Record<NonNullable<Input["cheapestPer"]>, (listing: FilteredListing) => string>> = {
  provider: ({ offer }) => offer.provider.name,
  gpu: ({ offer }) => offer.gpu.slug,
  country: ({ offer }) => offer.regionInfo.countryCode,
};

/** A page of the listings that come first in their group; `total` counts the groups. */
function firstOfEach(
  group: NonNullable<Input["cheapestPer"]>,
  listings: ListingCatalog,
  selection: PreparedQuery["selection"],
  { page, size }: { page: number; size: number },
) {
  const all = listings.select(selection, { page: 0, size: listings.index.size });
  const first = new Map<string, number>();
  for (const position of all.positions) {
    const key = KEYS[group](listings.index.listingAt(position));
    if (!first.has(key)) {
      first.set(key, position);
    }
  }
  return { ...all, positions: [...first.values()].slice(page * size, (page + 1) * size), total: first.size };
}

/** The memory and disk that a model needs, in GB: the disk for its weights and a fifth more. */
function needOf(model: ModelNeed) {
  const { weights, kvCache, assumptions } = memoryNeed(model);
  return {
    memoryGb: Math.ceil((weights.gb + kvCache.gb) * 10) / 10,
    diskGb: weightsDiskGb(model),
    assumed: [...assumptions],
  };
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

/** A query and the catalog that it is prepared for. Hours and a budget may be in its words, too; those of nodes add up. */
async function prepare(catalog: AgentCatalog, { nodes, ...wanted }: Partial<Input>) {
  const query = byTotal(onOffer(queryOfArguments(wanted)));
  const listings = await catalog.listings();
  const alone = listings.prepare(query, ARGUMENT_WORDS);
  const { budget, hours } = alone.query;
  const machineHours = nodes === undefined ? hours : (hours ?? 1) * nodes;
  const prepared = nodes === undefined ? alone : listings.prepare({ ...query, hours: machineHours }, ARGUMENT_WORDS);
  return { listings, ...prepared, query, machineHours, isEndless: budget !== undefined && hours === undefined };
}

/** Problems with the names of arguments, as sentences. */
function problemTexts(problems: readonly QueryProblem[]): string[] {
  return problems.map(({ parameter, reason }) => asSentence(`${argumentOf(parameter)}: ${reason}`));
}
