import { toMicrosUp, type GpuEntry, type PriceChange } from "@gpu-offers/domain";
import { countOf, countText, placeText, printable, usdMicrosText } from "@gpu-offers/list";
import type { MarketSummary, MarketTile } from "../gpus/market-summary.js";
import type { ListingView } from "../listings/listing-view.js";
import { html, join, type Html } from "./html.js";
import { sparkline } from "./price-chart.js";

// The market above the list: what the most listed GPUs cost, and what moved. Where nothing was observed, it says so.

const DAY_MS = 86_400_000;

/** A price in USD, with the fewest decimals that show it. */
export const usd = (price: number): string => usdMicrosText(toMicrosUp(price));

/** The address of the page of a GPU, from the root. */
export const gpuPath = (slug: string): string => `gpus/${encodeURIComponent(slug)}`;

/** A change with what it rests on: `-4.2 % since 2026-10-27, 12 machines`. */
export function changeText({ medianPercent, machines, from, reason }: PriceChange): string {
  return medianPercent === null
    ? `change unknown: ${reason ?? "too little was observed"}`
    : `${percentText(medianPercent)} since ${from ?? "?"}, the same ${countOf(machines, "machine")}`;
}

const percentText = (percent: number): string => `${percent > 0 ? "+" : ""}${percent} %`;

/** A price in USD for reading at a glance: rounded up to a cent, with the exact one where that differs. */
export function glance(price: number, isAtLeast = false): Html {
  const cents = Math.ceil(toMicrosUp(price) / 10_000);
  const text = `${isAtLeast ? "≥" : ""}$${(cents / 100).toFixed(2)}`;
  return cents * 10_000 === toMicrosUp(price) ? html`${text}` : html`<span title="${usd(price)}">${text}</span>`;
}

/** What the prices of a GPU are of, where that isn't offers for sale alone; the sample counts only where nothing else does. */
export function sampleNote({ slug, market }: GpuEntry, { market: parts }: ListingView["snapshot"]): string {
  if (market.sample) {
    return "sample prices, not for sale";
  }
  const left = parts.filter(({ gpu, sample }) => sample && gpu.slug === slug);
  const count = left.reduce((sum, { prices }) => sum + prices.length, 0);
  return count === 0 ? "" : `${countOf(count, "sample offer")} not counted`;
}

/** Jobs to begin with, as queries. */
const EXAMPLES = [
  ["gpu=h100&min_gpu_count=8&continent=Europe&disk=1000&hours=168", "8 H100 in Europe with 1 TB, for a week"],
  ["fits=70b@8&disk=100&hours=24&sort_by=total", "what runs a 70B model at 8 bits, for a day"],
  ["gpu=rtx-4090&disk=100&hours=72&budget=50", "an RTX 4090 for three days on $50"],
] as const;

/** Examples and the market, for the top of the list. @param isOpen otherwise the market is loaded once it is opened. */
export function marketSection(summary: MarketSummary, view: ListingView, nowMs: number, isOpen: boolean): Html {
  return html`<div id="market">
    <p class="moves">
      Try:
      ${join(
        EXAMPLES.map(([query, words]) => html`<a href="./?${query}">${words}</a>`),
        " · ",
      )}
    </p>
    <details ${isOpen ? "open" : ""}>
      <summary>Market</summary>
      ${isOpen ? marketOf(summary, view, nowMs) : html`<noscript><a href="./">Market</a></noscript>`}
    </details>
  </div>`;
}

function marketOf({ tiles, moves, came }: MarketSummary, view: ListingView, nowMs: number): Html {
  const span = { sinceMs: nowMs - 30 * DAY_MS, untilMs: nowMs, stepMs: DAY_MS };
  const isObserved = tiles.some(({ series }) => series.length > 0);
  const isMixed = new Set(tiles.map(({ gpu }) => sampleNote(gpu, view.snapshot))).size > 1;
  const notes = moves.map(
    ({ gpu, percent, change }) =>
      html`<a href="./${gpuPath(gpu.slug)}" title="${changeText(change)}">${gpu.name}</a> ${percentOf(percent)}`,
  );
  const newcomers = came.map(
    ({ gpu, machines, providers }) =>
      html`<a href="./?gpu==${encodeURIComponent(gpu.slug)}&provider=${providers.map(encodeURIComponent).join(",")}"
          >${countText(machines)} ${gpu.name}</a
        >
        at ${providers.map(printable).join(", ")}`,
  );
  return html`<ul class="tiles" tabindex="0" aria-label="GPUs of the most providers">
      ${tiles.map((tile) => tileOf(tile, view, span, isMixed))}
    </ul>
    ${isMixed ? html`<p class="moves">Prices are of offers for sale, or of the sample where there are none.</p>` : ""}
    <p class="moves">
      ${
        notes.length > 0
          ? html`Moved most within 7 days: ${join(notes, " · ")}`
          : isObserved
            ? "No price is known to have changed within 7 days."
            : "Prices weren't observed over time yet, so no changes are shown."
      }
    </p>
    ${newcomers.length === 0 ? "" : html`<p class="moves">New or back within 7 days: ${join(newcomers, " · ")}</p>`}
    <p class="moves"><a href="./?view=gpus">All GPUs</a></p>`;
}

/** A change with its color. */
function percentOf(percent: number): Html {
  return html`<span class="${percent < 0 ? "good" : percent > 0 ? "old" : ""}">${percentText(percent)}</span>`;
}

function tileOf(
  { gpu, series, change }: MarketTile,
  view: ListingView,
  span: Parameters<typeof sparkline>[1],
  isMixed: boolean,
): Html {
  const { slug, name, market } = gpu;
  const at = market.cheapest === null ? undefined : view.snapshot.findPosition(market.cheapest);
  const offer = at === undefined ? undefined : view.listingAt(at).offer;
  const place = offer === undefined ? "" : `${printable(offer.provider.name)}, ${placeText(offer)}`;
  const { live, listed } = market.basis;
  const stock = live > 0 ? `${live} of ${market.rentable} in stock` : listed > 0 ? `${listed} listed` : "";
  const note = sampleNote(gpu, view.snapshot);
  const lines = [stock, market.sample ? "" : note].filter((line) => line !== "");
  const { medianPercent, machines, from } = change;
  return html`<li class="tile">
    <a href="./?gpu==${encodeURIComponent(slug)}" data-slug="${slug}"><strong>${name}</strong></a>
    <span class="from">${glance(market.pricePerGpu?.min ?? 0, market.isAtLeast)}</span>
    <span class="sub extra" title="${place}">${place}</span>
    ${series.length === 0 ? "" : sparkline(series, span)}
    <span class="sub" title="${changeText(change)}"
      >${
        medianPercent === null
          ? market.sample
            ? isMixed
              ? note
              : ""
            : series.length === 0
              ? "not observed yet"
              : "change unknown"
          : html`${percentOf(medianPercent)} since ${from?.slice(5) ?? "?"}, ${countOf(machines, "machine")}`
      }</span
    >
    <span class="sub extra"
      >median ${glance(market.pricePerGpu?.median ?? 0)} · ${countOf(market.providers, "provider")}</span
    >
    ${lines.map((line) => html`<span class="sub extra">${line}</span>`)}
    <a class="more" href="./${gpuPath(slug)}" aria-label="${name}: over time">over time</a>
  </li>`;
}
