import type { PriceChange } from "@gpu-offers/domain";
import * as z from "zod";
import { listCatalogGpus, type AgentCatalog } from "./agent-catalog.js";
import { problemsOf } from "./list-gpus.js";
import { ToolArgumentError } from "./argument-error.js";
import { ageOf } from "./oldest-price.js";
import type { Tool } from "./tool.js";

const DAY_MS = 86_400_000;

/** Longest time with a point a day; beyond it there is a point a week. */
const DAILY_DAYS = 21;

const input = z.strictObject({
  gpu: z.string().max(64).describe("Name or family: h100; =h100 for the slug alone"),
  days: z
    .int()
    .min(1)
    .max(365)
    .default(90)
    .describe("Only observations in them are listed: ask for more than you look back"),
});

const usd = z.number().nullable();

const output = z.object({
  slugs: z.array(z.string()),
  trackedSince: z.string().nullable(),
  step: z.string(),
  medianChangePercent: usd,
  compared: z.string(),
  ageDays: z.number().nullable(),
  prices: z.array(z.object({ at: z.string(), min: usd, median: usd, rentable: z.number(), sellers: z.string() })),
});

type GetPrices = NonNullable<AgentCatalog["findGpuPrices"]>;

/** `get_gpu_prices`: whether a GPU is getting cheaper. */
export function getGpuPrices(catalog: AgentCatalog, findPrices: GetPrices): Tool<typeof input, typeof output> {
  return {
    name: "get_gpu_prices",
    title: "Get GPU prices over time",
    description: "Is it getting cheaper? Prices per GPU and hour where observed; change of the same machines.",
    input,
    output,
    check: async ({ gpu = [] }) => problemsOf([gpu].flat(), await listCatalogGpus(catalog)),
    run: async ({ gpu, days }) => {
      const since = new Date(Date.now() - days * DAY_MS).toISOString();
      const weekly = days > DAILY_DAYS ? await findPrices(gpu, { since, step: "week" }) : undefined;
      const tracked = weekly === undefined ? days : (Date.now() - Date.parse(weekly.trackedSince ?? since)) / DAY_MS;
      // Of less than three weeks, weeks would say little.
      const prices = tracked > DAILY_DAYS ? weekly : await findPrices(gpu, { since, step: "day" });
      if (prices === undefined) {
        throw new ToolArgumentError([`gpu: ${JSON.stringify(gpu)} has no prices over time.`]);
      }
      return {
        slugs: prices.slugs,
        trackedSince: prices.trackedSince,
        step: prices.step,
        medianChangePercent: prices.change.medianPercent,
        compared: comparedText(prices.change),
        // The last point is a week that may have begun before.
        ageDays: ageOf(prices.change.until === null ? [] : [prices.change.until]).ageDays,
        prices: prices.series.map(({ at, min, median, offers, observed, known }) => ({
          at: at.slice(0, 10),
          sellers: `${observed} of ${known}`,
          min,
          median,
          rentable: offers,
        })),
      };
    },
  };
}

/** What the change compares, or why there is none. */
function comparedText({ from, until, machines, reason }: PriceChange): string {
  return reason ?? `${machines} machines, ${from} to ${until}`;
}
