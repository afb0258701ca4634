import { selectGpus } from "@gpu-offers/domain";
import { quoted } from "@gpu-offers/list";
import type { GpuPriceReader } from "../gpus/gpu-prices.js";
import { UNITS } from "../http/work-units.js";
import type { ListingView } from "../listings/listing-view.js";
import { invalidParameters } from "../wire/api-error.js";
import { nextTurn } from "../wire/loop-turns.js";
import { html, join, type Html } from "./html.js";
import { changeText, usd } from "./market-tiles.js";
import { priceChart, priceTable, type Series } from "./price-chart.js";

// The prices of some GPUs over time, as a chart, in words and as a table. It is whole without scripts.

export interface GpuPageSources {
  view: ListingView;
  prices: Pick<GpuPriceReader, "read">;
  nowMs: number;
  /** Takes more units of work from the caller. @throws ApiError rate_limited. */
  charge: (units: number) => void;
}

const DAY_MS = 86_400_000;

/** Days that a page can show. */
const SPANS = [30, 90, 180, 365] as const;

/** The days of `90d`; 90 by default. @throws ApiError if pages don't show that number of days. */
export function daysOf(since: string | undefined): number {
  const days = SPANS.find((known) => `${known}d` === (since ?? "90d"));
  if (days === undefined) {
    const reason = `must be ${SPANS.map((known) => `${known}d`).join(", ")}, not ${quoted(since ?? "")}`;
    throw invalidParameters([{ name: "since", reason }]);
  }
  return days;
}

/** The prices of some names, and which of them are unknown. */
export async function readSeries(
  names: readonly string[],
  days: number,
  { view: { market }, prices, nowMs, charge }: GpuPageSources,
): Promise<{ series: Series[]; problems: string[] }> {
  const series: Series[] = [];
  const problems: string[] = [];
  for (const name of names) {
    charge(UNITS.nearGpus);
    const selection = selectGpus(name, market.snapshot.listedGpus);
    if (selection.kind === "unknown") {
      const near = selection.nearest.slice(0, 3).join(", ");
      problems.push(`gpu ${quoted(name)} is unknown.${near === "" ? "" : ` Did you mean ${near}?`}`);
    } else {
      const since = new Date(nowMs - days * DAY_MS).toISOString();
      const query = { since, step: days > 90 ? "week" : "day" } as const;
      const [slug = ""] = selection.slugs;
      const known = market.gpus.find((gpu) => gpu.slug === slug)?.name ?? name;
      series.push({
        name: selection.slugs.length === 1 ? known : name,
        prices: await prices.read(name, selection.slugs, query, nowMs, charge),
      });
    }
    await nextTurn(true);
  }
  return { series, problems };
}

/** The chart of some GPUs, what it says in words, and its values. */
export function pricesOverTime(series: readonly Series[], days: number, nowMs: number): Html {
  const span = { sinceMs: nowMs - days * DAY_MS, untilMs: nowMs, stepMs: (days > 90 ? 7 : 1) * DAY_MS };
  const chart = priceChart(series, span, `Median price per GPU-hour of ${series.map(({ name }) => name).join(", ")}`);
  const words = series.map(({ name, prices: { series: points, change, trackedSince } }, index) => {
    const median = points.findLast((point) => point.median !== null)?.median ?? null;
    const state =
      median === null
        ? trackedSince === null
          ? "never observed yet"
          : `not observed within ${days} days; tracked since ${trackedSince.slice(0, 10)}`
        : `median ${usd(median)}, ${changeText(change)}`;
    return html`<li><span class="key s${index}" aria-hidden="true"></span> ${name}: ${state}.</li>`;
  });
  return html`<ul class="legend">
      ${words}
    </ul>
    ${
      chart === undefined
        ? html`<p>
            Nothing was observed within ${days} days. Prices appear here once they are read from providers; the sample
            that ships is never recorded.
          </p>`
        : html`<div class="plot" tabindex="0" role="group" aria-label="Values: move with the left and right arrow keys">
              ${chart}
              <output class="at"></output>
            </div>
            <p class="sub">
              USD per GPU-hour; the axis begins at zero. Gaps are times without an observation. Each point is of the
              providers that were observed then, so it also moves with
              them.${series.length === 1 ? " Line: median; area: from p10 to p90, between which eight tenths of the offers are." : ""}
            </p>
            ${priceTable(series, span)}`
    }`;
}

export const spanLinks = (days: number, linkOf: (days: number) => string): Html =>
  html`<nav class="spans" aria-label="Days shown">
    ${join(
      SPANS.map((span) =>
        span === days
          ? html`<strong aria-current="true">${span} days</strong>`
          : html`<a href="${linkOf(span)}">${span} days</a>`,
      ),
      " · ",
    )}
  </nav>`;
