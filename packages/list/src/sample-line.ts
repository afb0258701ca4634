import { isSample, sampleText, type ListedOffer, type SourceStatus } from "@gpu-offers/domain";
import type { CatalogAge } from "./catalog-age.js";
import { countOf, countText } from "./count-text.js";

// The line above lists that have sample prices.

/** How an operator replaces the sample: one command. */
export const LIVE_HINT = "For live prices, run gpu-offers-admin source enable --keyless.";

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

/** The line for the offers of sources. */
export function sampleLineOf(
  sources: readonly Pick<SourceStatus, "sample" | "offers" | "pricesAsOf">[],
): string | undefined {
  const countIn = (some: typeof sources) => some.reduce((sum, { offers }) => sum + offers, 0);
  const samples = sources.filter(({ sample }) => sample);
  return lineOf(
    countIn(samples),
    countIn(sources),
    samples.map(({ pricesAsOf }) => pricesAsOf),
  );
}

function lineOf(count: number, total: number, dates: readonly (string | null | undefined)[]): string | undefined {
  const [oldest] = dates.filter((date) => date != null).sort();
  const text = sampleText(oldest);
  return count === 0
    ? undefined
    : count === total
      ? text
      : `${countText(count)} of ${countOf(total, "offer")}: ${text}`;
}
