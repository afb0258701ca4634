import { isSample, sampleText, type GpuEntry, type ListedOffer, type SourceStatus } from "@gpu-offers/domain";
import type { CatalogAge } from "./catalog-age.js";
import { countOf } from "./count-text.js";

// What is said above lists about where their prices come from.

/** The line for some offers; undefined if none of them is of the sample. */
export function sampleLine(offers: readonly ListedOffer[], { pricesAsOf }: CatalogAge): string | undefined {
  const samples = offers.filter(isSample);
  const providers = new Set(samples.map(({ provider }) => provider.name));
  return lineOf(
    samples.length,
    offers.length,
    [...providers].map((name) => pricesAsOf.get(name)),
  );
}

/** What a page says about the sources of a service above its list: sample prices, with what its operator can do, and stale ones. */
export function sourceNotices(
  sources: readonly Pick<SourceStatus, "sample" | "offers" | "pricesAsOf" | "state" | "providers">[],
): string[] {
  const countIn = (some: typeof sources) => some.reduce((sum, { offers }) => sum + offers, 0);
  const samples = sources.filter(({ sample }) => sample);
  const dates = samples.map(({ pricesAsOf }) => pricesAsOf);
  const line = lineOf(countIn(samples), countIn(sources), dates);
  const stale = sources.filter(({ state }) => state === "stale").flatMap(({ providers }) => providers);
  return [
    ...(line === undefined ? [] : [`${line}. For live prices, run gpu-offers-admin source enable --keyless.`]),
    ...(stale.length === 0
      ? []
      : [`Prices of ${stale.join(", ")} are stale: the availability of their offers is unknown.`]),
  ];
}

/** The same of GPUs that are offered. */
export function sampleGpusLine(gpus: readonly GpuEntry[]): string | undefined {
  const offered = gpus.filter(({ market }) => market.offers > 0);
  const samples = offered.filter(({ market }) => market.sample);
  const dates = samples.map(({ market }) => market.pricesAsOf);
  return lineOf(samples.length, offered.length, dates, "GPU");
}

function lineOf(
  count: number,
  total: number,
  dates: readonly (string | null | undefined)[],
  noun = "offer",
): string | undefined {
  const [oldest] = dates.filter((date) => date != null).sort();
  const text = sampleText(oldest);
  return count === 0 ? undefined : count === total ? text : `${countOf(count, noun)}: ${text}`;
}
