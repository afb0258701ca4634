import {
  CONTINENTS,
  continentsCalled,
  countriesCalled,
  firstOffers,
  gpuSlugs,
  paidDisk,
  providersCalled,
  soleFailure,
  type FilterKey,
  type Named,
  type Offer,
  type OfferFilter,
} from "@gpu-offers/domain";
import * as z from "zod";
import type { AgentCatalog } from "./agent-catalog.js";
import { ArgumentError } from "./argument-error.js";
import { catalogNames } from "./catalog-names.js";
import { offerRow, offerRowSchema } from "./offer-row.js";
import { oldestPrice } from "./oldest-price.js";
import type { Tool } from "./tool.js";

const MAX_COUNT = 1_000;
const MAX_GB = 1_000_000;

/** Maximum number of GPUs in the result, to keep it small: a vendor has a hundred. */
const MAX_GPUS = 12;

const names = z.array(z.string().max(64)).min(1).max(20);
const gb = z.int().min(0).max(MAX_GB);

const input = z.strictObject({
  gpu: names.describe("GPU names: H100, a100 80gb, 4090, h100-sxm. A family includes all its form factors.").optional(),
  minGpus: z.int().min(1).max(MAX_COUNT).optional(),
  maxGpus: z.int().min(1).max(MAX_COUNT).optional(),
  minVramGb: gb.describe("Per GPU").optional(),
  minTotalVramGb: gb.optional(),
  diskGb: gb.default(0).describe("Disk, included in the price"),
  continent: names.describe("Europe, EU, North America").optional(),
  country: names.describe("ISO code or English name").optional(),
  provider: names.optional(),
  maxUsdPerHour: z.number().positive().describe("Whole instance including the disk").optional(),
  onlyAvailable: z.boolean().default(true),
  nvlink: z.boolean().optional(),
  limit: z.int().min(1).max(25).default(5),
});

const output = z.object({
  total: z.number(),
  offers: z.array(offerRowSchema),
  pricesAsOf: z.string().nullable().describe("Oldest price; null if unknown"),
  gpus: z.array(z.string()).optional(),
  excludedBy: z
    .record(z.string(), z.number())
    .optional()
    .describe("If nothing matches: number of matches without each argument"),
});

type Input = z.output<typeof input>;

/** Maps the domain's filters to arguments; `soleFailure` returns the former. */
const ARGUMENT_OF: Partial<Record<FilterKey, keyof Input>> = {
  gpu: "gpu",
  minGpuCount: "minGpus",
  maxGpuCount: "maxGpus",
  minVramGb: "minVramGb",
  minTotalVramGb: "minTotalVramGb",
  diskGb: "diskGb",
  continent: "continent",
  country: "country",
  provider: "provider",
  maxTotalHourly: "maxUsdPerHour",
  available: "onlyAvailable",
  nvlink: "nvlink",
};

/** `find_gpu_offers`: the cheapest offers that meet all conditions, priced including the disk. */
export function findGpuOffers(catalog: AgentCatalog): Tool<typeof input, typeof output> {
  return {
    name: "find_gpu_offers",
    title: "Find GPU offers",
    description:
      "Find rentable GPU instances across clouds, cheapest first including the disk. atLeast marks lower bounds, diskUnknown prices without a disk.",
    input,
    output,
    check: async (wanted) => readFilter(wanted, await catalog.listOffers()).problems,
    run: async (wanted) => {
      const offers = await catalog.listOffers();
      const { filter, problems } = readFilter(wanted, offers);
      // The catalog may have changed since the check.
      if (problems.length > 0) {
        throw new ArgumentError(problems);
      }
      const { matching, excludedBy } = matchOffers(offers, filter);
      const shown = firstOffers(matching, { sort: "total", order: "asc", diskGb: wanted.diskGb }, wanted.limit);
      return {
        total: matching.length,
        offers: shown.map((offer) => offerRow(offer, paidDisk(offer, wanted.diskGb))),
        pricesAsOf: await oldestPrice(catalog, shown),
        ...(filter.gpu === undefined || filter.gpu.length > MAX_GPUS ? {} : { gpus: [...filter.gpu] }),
        ...(matching.length === 0 ? { excludedBy } : {}),
      };
    },
  };
}

type NameArgument = "gpu" | "continent" | "country" | "provider";

const GPU_HINT = "gpu-offers://models lists the GPUs. Use one name per item, or omit gpu for any.";
const COUNTRY_HINT = "Use an ISO code such as DE or an English name, one per item, or omit country for any.";

/** The domain's filter for the arguments, and their problems: unknown names, contradictory counts. */
function readFilter(
  wanted: Partial<Input>,
  offers: readonly Offer[],
): { filter: OfferFilter; problems: readonly string[] } {
  const problems: string[] = [];
  const known = (argument: NameArgument, read: (name: string) => Named<string>, valid: string) => {
    const values = wanted[argument]?.flatMap((name) => {
      const named = read(name);
      if (named.kind === "known") {
        return named.values;
      }
      problems.push(
        `${argument}: ${JSON.stringify(name)} is unknown. ${hintOf(argument, name, named.nearest) ?? valid}`,
      );
      return [];
    });
    return values === undefined ? undefined : [...new Set(values)];
  };
  const { gpus, providers } = catalogNames(offers);
  if ((wanted.minGpus ?? 0) > (wanted.maxGpus ?? Number.POSITIVE_INFINITY)) {
    problems.push(`minGpus: must not be greater than maxGpus (${wanted.minGpus} > ${wanted.maxGpus}).`);
  }
  const filter: OfferFilter = {
    gpu: known("gpu", (name) => gpuSlugs(name, gpus), GPU_HINT),
    minGpuCount: wanted.minGpus,
    maxGpuCount: wanted.maxGpus,
    minVramGb: wanted.minVramGb,
    minTotalVramGb: wanted.minTotalVramGb,
    diskGb: wanted.diskGb === 0 ? undefined : wanted.diskGb,
    continent: known("continent", continentsCalled, `The continents are ${CONTINENTS.join(", ")}.`),
    country: known("country", countriesCalled, COUNTRY_HINT),
    provider: known(
      "provider",
      (name) => providersCalled(name, providers),
      `The providers are ${[...providers].sort().join(", ")}.`,
    ),
    maxTotalHourly: wanted.maxUsdPerHour,
    available: wanted.onlyAvailable ? true : undefined,
    nvlink: wanted.nvlink,
  };
  return { filter, problems };
}

/** What to use instead of an unknown name, if it is similar to a known one. */
function hintOf(argument: NameArgument, name: string, nearest: readonly string[]): string | undefined {
  if (argument === "continent" && countriesCalled(name).kind === "known") {
    return "Use country.";
  }
  if (argument === "country" && continentsCalled(name).kind === "known") {
    return "Use continent.";
  }
  return nearest.length > 0 ? `Did you mean ${nearest.join(", ")}?` : undefined;
}

/**
 * The matching offers, and for each argument the number of those that match only without it, in one pass: it takes
 * time for every offer of the catalog.
 */
function matchOffers(
  offers: readonly Offer[],
  filter: OfferFilter,
): { matching: readonly Offer[]; excludedBy: Record<string, number> } {
  const failureOf = soleFailure(filter);
  const matching: Offer[] = [];
  const excludedBy: Record<string, number> = {};
  for (const offer of offers) {
    const failed = failureOf(offer);
    if (failed === "none") {
      matching.push(offer);
    } else if (failed !== "several") {
      const argument = ARGUMENT_OF[failed];
      if (argument !== undefined) {
        excludedBy[argument] = (excludedBy[argument] ?? 0) + 1;
      }
    }
  }
  return { matching, excludedBy };
}
