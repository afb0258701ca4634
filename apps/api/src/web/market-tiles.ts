import { toMicrosUp, type PriceChange } from "@gpu-offers/domain";
import { countOf, placeText, printable, usdMicrosText } from "@gpu-offers/list";
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

/** Jobs to begin with, as queries. */
const EXAMPLES = [
  ["q=8xh100+eu&disk=1000&hours=168", "8x H100 in Europe with 1 TB, for a week"],
  ["fits=70b@8&hours=24&sort_by=total", "what runs a 70B model at 8 bits, for a day"],
  ["q=rtx+4090&budget=50&hours=72", "an RTX 4090 for three days on $50"],
] as const;

/** The market, for the top of the list. */
export function marketSection({ tiles, moves }: MarketSummary, view: ListingView, nowMs: number): Html {
  const span = { sinceMs: nowMs - 30 * DAY_MS, untilMs: nowMs, stepMs: DAY_MS };
  const isObserved = tiles.some(({ series }) => series.length > 0);
  const notes = moves.map(
    ({ gpu, percent, change }) =>
      html`<a href="./${gpuPath(gpu.slug)}" title="${changeText(change)}">${gpu.name}</a> ${percentText(percent)}`,
  );
  return html`<details id="market" open>
    <summary>Market</summary>
    <ul class="tiles" tabindex="0" aria-label="GPUs with the most offers">
      ${tiles.map((tile) => tileOf(tile, view, span))}
    </ul>
    <p class="moves">
      ${
        notes.length > 0
          ? html`Moved most within 7 days: ${join(notes, " · ")}`
          : isObserved
            ? "No price is known to have changed within 7 days."
            : "Prices weren't observed over time yet, so no changes are shown."
      }
      <a href="./?view=gpus">All GPUs</a>
    </p>
    <p class="moves">
      Try:
      ${join(
        EXAMPLES.map(([query, words]) => html`<a href="./?${query}">${words}</a>`),
        " · ",
      )}
    </p>
  </details>`;
}

function tileOf({ gpu, series, change }: MarketTile, view: ListingView, span: Parameters<typeof sparkline>[1]): Html {
  const { slug, name, market } = gpu;
  const at = market.cheapest === null ? undefined : view.snapshot.findPosition(market.cheapest);
  const offer = at === undefined ? undefined : view.listingAt(at).offer;
  const place = offer === undefined ? "" : `${printable(offer.provider.name)}, ${placeText(offer)}`;
  const { live, listed } = market.basis;
  const stock = live > 0 ? ` · ${live} of ${market.rentable} with live stock` : listed > 0 ? ` · ${listed} listed` : "";
  const { medianPercent, machines, from } = change;
  return html`<li class="tile">
    <a href="./?gpu==${encodeURIComponent(slug)}" data-slug="${slug}"><strong>${name}</strong></a>
    <span class="from">${market.isAtLeast ? "≥" : ""}${usd(market.pricePerGpu?.min ?? 0)}</span>
    <a class="more" href="./${gpuPath(slug)}" aria-label="${name} over time">over time</a>
    <span class="sub">median ${usd(market.pricePerGpu?.median ?? 0)}${stock}</span>
    <span class="sub" title="${place}">${place}</span>
    ${series.length === 0 ? "" : sparkline(series, span)}
    <span class="sub" title="${changeText(change)}"
      >${
        medianPercent === null
          ? series.length === 0
            ? "not observed yet"
            : "change unknown"
          : `${percentText(medianPercent)} since ${from?.slice(5) ?? "?"}, ${countOf(machines, "machine")}`
      }</span
    >
  </li>`;
}
