import {
  availabilityOf,
  availabilityWords,
  fitOf,
  memoryNeed,
  parseModelNeed,
  selectGpus,
  toMicrosUp,
  worth,
  type Fit,
  type GpuEntry,
  type GpuPrices,
  type WorthKey,
} from "@gpu-offers/domain";
import {
  countOf,
  countText,
  decimalsFor,
  gpuText,
  microsText,
  placeText,
  printable,
  quoted,
  UNKNOWN,
  WORTH_DECIMALS,
  type Decimals,
} from "@gpu-offers/list";
import type { GpuMarket } from "../gpus/gpu-market.js";
import type { GpuPriceReader } from "../gpus/gpu-prices.js";
import { inSlices } from "../listings/in-slices.js";
import type { ListingView } from "../listings/listing-view.js";
import { html, join, type Html } from "./html.js";
import { changeText, gpuPath, usd } from "./market-tiles.js";
import { priceChart, priceTable } from "./price-chart.js";

// The pages of GPUs: all of them with the prices of some over time, and one with what is known of it. They are whole without
// scripts.

const DAY_MS = 86_400_000;

/** Days that a page can show, and the number of GPUs in a chart. */
const SPANS = [30, 90, 180, 365] as const;
const MOST_SERIES = 6;

/** Offers on the page of a GPU. */
const CHEAPEST = 10;

/** What the pages are made of. */
export interface GpuPageSources {
  view: ListingView;
  market: GpuMarket;
  prices: Pick<GpuPriceReader, "read">;
  nowMs: number;
}

/** A page: its title, a sentence for search engines and previews, and its content. */
export interface PageContent {
  title: string;
  description: string;
  content: Html;
  /** The address of its feed. */
  feed?: string;
}

/** A column of numbers. */
interface NumberColumn {
  title: string;
  /** The key of the order of offers that sorts by it. */
  sort?: string;
  value: (gpu: GpuEntry) => number | null;
  text: (value: number, gpu: GpuEntry, decimals: Decimals) => string;
}

const priced = (title: string, value: NumberColumn["value"], sort?: string): NumberColumn => ({
  title,
  value,
  ...(sort !== undefined && { sort }),
  text: (price, { market }, decimals) =>
    `${market.isAtLeast && title !== "spot" ? "≥" : ""}${microsText(toMicrosUp(price), decimals)}`,
});

/** By the lowest price. */
const worthColumn = (title: string, key: WorthKey): NumberColumn => ({
  title,
  sort: key,
  value: (gpu) => {
    const { pricePerGpu } = gpu.market;
    return pricePerGpu === null ? null : worth({ gpu, pricePerGpu: pricePerGpu.min }, key);
  },
  text: (price) => microsText(toMicrosUp(price), WORTH_DECIMALS),
});

const COLUMNS: readonly NumberColumn[] = [
  priced("from", ({ market }) => market.pricePerGpu?.min ?? null, "pricePerGpu"),
  priced("median", ({ market }) => market.pricePerGpu?.median ?? null),
  priced("spot", ({ market }) => market.spotMin),
  { title: "GB", value: ({ vramGB }) => vramGB, text: countText },
  {
    title: "TB/s",
    value: ({ memoryBandwidthGBs }) => memoryBandwidthGBs,
    text: (bandwidth) => (bandwidth / 1000).toFixed(3),
  },
  { title: "BF16 TF", value: ({ bf16Tflops }) => bf16Tflops, text: (flops) => countText(Math.round(flops)) },
  worthColumn("$/GB", "vramPrice"),
  worthColumn("$/TB/s", "bandwidthPrice"),
  worthColumn("$/BF16 PF", "bf16Price"),
  worthColumn("$/FP8 PF", "fp8Price"),
];

/** A table of models. @param root the root as a relative link. @param linkOf the address that sorts by a key. */
function modelTable(
  gpus: readonly GpuEntry[],
  { root, shown, linkOf }: { root: string; shown: ReadonlySet<string>; linkOf?: (sort: string) => string },
): Html {
  const decimals = decimalsFor(
    COLUMNS.slice(0, 3).flatMap(({ value }) => gpus.flatMap((gpu) => toMicrosUp(value(gpu) ?? 0))),
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="GPUs, scrollable">
    <table class="models" aria-label="GPUs">
      <thead>
        <tr>
          <th scope="col">GPU</th>
          <th scope="col" class="num">Offers</th>
          ${join(
            COLUMNS.map(
              ({ title, sort }) =>
                html`<th scope="col" class="num">
                  ${sort === undefined || linkOf === undefined ? title : html`<a href="${linkOf(sort)}">${title}</a>`}
                </th>`,
            ),
          )}
        </tr>
      </thead>
      <tbody>
        ${join(
          gpus.map(
            (gpu) =>
              html`<tr class="${shown.has(gpu.slug) ? "is-current" : ""}">
                <th scope="row">
                  ${
                    linkOf === undefined
                      ? ""
                      : html`<input
                          type="checkbox"
                          name="gpu"
                          value="=${gpu.slug}"
                          aria-label="${gpu.name} in the chart"
                          ${shown.has(gpu.slug) ? "checked" : ""}
                        />`
                  }
                  <a href="${root}${gpuPath(gpu.slug)}">${gpu.name}</a>
                </th>
                <td class="num">
                  <a
                    href="${root}?gpu==${encodeURIComponent(gpu.slug)}"
                    aria-label="${countOf(gpu.market.offers, "offer")} of ${gpu.name}"
                    >${countText(gpu.market.offers)}</a
                  >
                </td>
                ${join(
                  COLUMNS.map(({ value, text }) => {
                    const number = value(gpu);
                    return html`<td class="num">${number === null ? UNKNOWN : text(number, gpu, decimals)}</td>`;
                  }),
                )}
              </tr>`,
          ),
        )}
      </tbody>
    </table>
  </div>`;
}

/** The GPUs whose prices a page shows, and for how many days. */
interface Wanted {
  gpu: string | undefined;
  since: string | undefined;
  sort: string | undefined;
}

/** The days of `90d`; 90 unless it is one of those that pages have. */
function daysOf(since: string | undefined): number {
  const days = Number(/^(\d{1,3})d$/.exec(since ?? "")?.[1]);
  return SPANS.find((known) => known === days) ?? 90;
}

interface Series {
  name: string;
  prices: GpuPrices;
}

async function readSeries(
  names: readonly string[],
  days: number,
  { market, prices, nowMs }: GpuPageSources,
): Promise<{ series: Series[]; problems: string[] }> {
  const series: Series[] = [];
  const problems: string[] = [];
  for (const name of names) {
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
        prices: await prices.read(name, selection.slugs, query, market, nowMs),
      });
    }
  }
  return { series, problems };
}

/** The chart of some GPUs, what it says in words, and its values. */
function pricesOverTime(series: readonly Series[], days: number, nowMs: number): Html {
  const span = { sinceMs: nowMs - days * DAY_MS, untilMs: nowMs, stepMs: (days > 90 ? 7 : 1) * DAY_MS };
  const all = series.map(({ name, prices }) => ({ name, points: prices.series }));
  const chart = priceChart(all, span, `Median price per GPU-hour of ${series.map(({ name }) => name).join(", ")}`);
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
      ${join(words)}
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
              USD per GPU-hour; the axis begins at zero. Gaps are times without an
              observation.${all.length === 1 ? " Thick: median; thin: a tenth of the offers don't cost more." : ""}
            </p>
            ${priceTable(all, span)}`
    }`;
}

const spanLinks = (days: number, linkOf: (days: number) => string): Html =>
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

/** All GPUs, and some of them over time. */
export async function gpusPage({ gpu, since, sort }: Wanted, sources: GpuPageSources): Promise<PageContent> {
  const { market, nowMs } = sources;
  const days = daysOf(since);
  const listed = market.gpus.filter((one) => one.market.offers > 0);
  const most = listed.toSorted((a, b) => b.market.rentable - a.market.rentable)[0]?.slug;
  const names = [...new Set((gpu ?? (most === undefined ? "" : `=${most}`)).split(","))].filter((name) => name !== "");
  const { series, problems } = await readSeries(names.slice(0, MOST_SERIES), days, sources);
  const column = COLUMNS.find((one) => one.sort === sort);
  const keyOf = (one: GpuEntry): number => column?.value(one) ?? Number.POSITIVE_INFINITY;
  const rows = column === undefined ? listed : listed.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const address = (change: Record<string, string>): string => {
    const params = new URLSearchParams({
      view: "gpus",
      ...(gpu !== undefined && { gpu }),
      ...(since !== undefined && { since }),
      ...(sort !== undefined && { sort_by: sort }),
      ...change,
    });
    return `./?${params.toString()}`;
  };
  const shownSlugs = new Set(series.flatMap(({ prices }) => prices.slugs));
  const title = names.length > 1 ? series.map(({ name }) => name).join(", ") : "GPUs";
  return {
    title: `${title}: prices over time`,
    description: `What ${countOf(listed.length, "GPU model")} cost per hour now and over time, and what they are worth.`,
    content: html`<h1>${title}</h1>
      ${join(problems.map((line) => html`<p class="notice">${line}</p>`))}
      ${names.length > MOST_SERIES ? html`<p class="notice">A chart shows at most ${MOST_SERIES} GPUs.</p>` : ""}
      ${spanLinks(days, (span) => address({ since: `${span}d` }))} ${pricesOverTime(series, days, nowMs)}
      <form action="./" method="get">
        <input type="hidden" name="view" value="gpus" />
        <input type="hidden" name="since" value="${days}d" />
        <p>
          ${countOf(listed.length, "model")}. Prices in USD per GPU-hour of what can be rented now, without disk; worth
          by the lowest one. <button class="chip">Show the marked ones over time</button>
        </p>
        ${modelTable(rows, { root: "./", shown: shownSlugs, linkOf: (key) => address({ sort_by: key }) })}
      </form>`,
  };
}

/** Models whose fit is shown, and their bits per parameter. */
const FITTED = ["8b@16", "8b@4", "32b@16", "32b@4", "70b@16", "70b@8", "70b@4", "120b@4", "405b@8", "671b@8"] as const;

/** The page of a GPU; undefined if no GPU has this slug. */
export async function gpuPage(
  slug: string,
  since: string | undefined,
  sources: GpuPageSources,
): Promise<PageContent | undefined> {
  const { market, nowMs } = sources;
  const gpu = market.gpus.find((known) => known.slug === slug);
  if (gpu === undefined) {
    return undefined;
  }
  const days = daysOf(since);
  const { series } = await readSeries([`=${slug}`], days, sources);
  const offers = await offersOf(slug, sources.view);
  const { pricePerGpu, rentable, providers } = gpu.market;
  const price = pricePerGpu === null ? "not for rent now" : `from ${usd(pricePerGpu.min)}/h`;
  const range = pricePerGpu === null ? "" : `, median ${usd(pricePerGpu.median)}`;
  const sentence = `${gpu.name}, ${gpu.vramGB} GB: ${price}${range}, ${countOf(rentable, "offer")} of ${countOf(providers, "provider")}.`;
  return {
    title: `${gpu.name} ${price}`,
    description: `${sentence} Prices over time, stock by provider, and which models fit.`,
    content: html`<h1>${gpu.name}</h1>
      <p class="price">${sentence}</p>
      <p><a href="../?gpu==${encodeURIComponent(slug)}">All ${countOf(gpu.market.offers, "offer")}</a></p>
      <h2>Price over time</h2>
      ${spanLinks(days, (span) => `./${encodeURIComponent(slug)}?since=${span}d`)}
      ${pricesOverTime(series, days, nowMs)}
      <h2>Cheapest offers</h2>
      ${offerTable(offers.slice(0, CHEAPEST))}
      <h2>Stock by provider and size</h2>
      ${stockTable(offers)}
      <h2>Worth beside its neighbors</h2>
      ${modelTable(neighborsOf(gpu, market.gpus), { root: "../", shown: new Set([slug]) })}
      <h2>Models that fit</h2>
      ${fitTable(gpu)}
      <h2>Facts</h2>
      ${factTable(gpu)}`,
  };
}

/** A table that may be wider than the window. */
function scrolling(label: string, table: Html): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}, scrollable">${table}</div>`;
}

type Listed = ReturnType<ListingView["listingAt"]>;

/** The offers of a GPU, the cheapest per GPU first, those that are sold out last. */
async function offersOf(slug: string, view: ListingView): Promise<Listed[]> {
  const { selection } = view.catalog.prepare({ gpu: [`=${slug}`], verified: "not-false" });
  const page = { page: 0, size: view.catalog.index.size };
  const { positions } = await inSlices(view.catalog.selecting(selection, page));
  return Array.from(positions, (position) => view.listingAt(position));
}

function offerTable(offers: readonly Listed[]): Html {
  if (offers.length === 0) {
    return html`<p>No offers.</p>`;
  }
  return scrolling(
    "Cheapest offers",
    html`<table class="facts">
      <thead>
        <tr>
          <th scope="col">Offer</th>
          <th scope="col">Provider</th>
          <th scope="col">Where</th>
          <th scope="col" class="num">$/GPU-h</th>
          <th scope="col" class="num">$/h</th>
          <th scope="col">Stock</th>
        </tr>
      </thead>
      <tbody>
        ${join(
          offers.map(
            (listing) =>
              html`<tr>
                <td><a href="../?offer=${listing.offer.id}">${gpuText(listing.offer)}</a></td>
                <td>${printable(listing.offer.provider.name)}</td>
                <td>${placeText(listing.offer)}</td>
                <td class="num">${usd(listing.offer.pricePerGpu)}</td>
                <td class="num">${usd(listing.offer.priceHourly)}</td>
                <td>${availabilityWords(availabilityOf(listing))}</td>
              </tr>`,
          ),
        )}
      </tbody>
    </table>`,
  );
}

/** What each provider has of each size: the lowest price per GPU, and how it can be had. */
function stockTable(offers: readonly Listed[]): Html {
  const sizes = [...new Set(offers.map(({ offer }) => offer.gpuCount))].sort((a, b) => a - b);
  const providers = Map.groupBy(offers, ({ offer }) => offer.provider.name);
  return scrolling(
    "Stock",
    html`<table class="facts">
      <thead>
        <tr>
          <th scope="col">Provider</th>
          ${join(sizes.map((size) => html`<th scope="col">${size}×</th>`))}
        </tr>
      </thead>
      <tbody>
        ${join(
          [...providers].map(
            ([name, own]) =>
              html`<tr>
                <th scope="row">${printable(name)}</th>
                ${join(
                  sizes.map((size) => {
                    // Offers are in order: those that can be had, by price
                    const best = own.find(({ offer }) => offer.gpuCount === size);
                    return html`<td>
                      ${
                        best === undefined
                          ? UNKNOWN
                          : html`${usd(best.offer.pricePerGpu)}
                              <small>${availabilityWords(availabilityOf(best))}</small>`
                      }
                    </td>`;
                  }),
                )}
              </tr>`,
          ),
        )}
      </tbody>
    </table>`,
  );
}

/** The GPU between the two models that are next cheaper and next dearer, by their lowest prices. */
function neighborsOf(gpu: GpuEntry, gpus: readonly GpuEntry[]): GpuEntry[] {
  const priceOf = (one: GpuEntry): number => one.market.pricePerGpu?.min ?? Number.POSITIVE_INFINITY;
  const sold = gpus.filter((one) => one.market.pricePerGpu !== null).sort((a, b) => priceOf(a) - priceOf(b));
  const at = sold.indexOf(gpu);
  return at < 0 ? [gpu] : sold.slice(Math.max(0, at - 2), at + 3);
}

function fitTable(gpu: GpuEntry): Html {
  const rows = FITTED.flatMap((text) => {
    const read = parseModelNeed(text);
    if (!read.ok) {
      return [];
    }
    const need = memoryNeed(read.need);
    const into = (gpuCount: number): Fit => fitOf({ gpu, gpuCount, nvlinkEnabled: gpu.nvlinkGBs !== null }, need).fit;
    const count = [1, 2, 4, 8].find((gpus) => into(gpus) !== "no");
    const gb = Math.ceil(need.weights.gb + need.kvCache.gb);
    return [
      html`<tr>
        <th scope="row">${String(read.need.paramsB)}B at ${String(read.need.bits)} bits</th>
        <td class="num">${countText(gb)} GB</td>
        <td>
          ${
            count === undefined
              ? "none"
              : html`<a href="../?fits=${text}&gpu==${gpu.slug}&min_gpu_count=${count}">${count}×</a
                  >${into(count) === "tight" ? " (tight)" : ""}`
          }
        </td>
      </tr>`,
    ];
  });
  return html`<table class="facts">
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col" class="num">About</th>
          <th scope="col">${gpu.name}</th>
        </tr>
      </thead>
      <tbody>
        ${join(rows)}
      </tbody>
    </table>
    <p class="sub">With 8,192 tokens of context, by memory alone; 4 and 8 GPUs must be linked.</p>`;
}

const FACT_NAMES = {
  memoryBandwidthGBs: ["Memory bandwidth", "GB/s"],
  bf16Tflops: ["BF16, dense", "TFLOPS"],
  fp16Tflops: ["FP16, dense", "TFLOPS"],
  fp8Tflops: ["FP8, dense", "TFLOPS"],
  nvlinkGBs: ["NVLink", "GB/s"],
  tdpW: ["Power", "W"],
  year: ["Year", ""],
} as const;

function factTable(gpu: GpuEntry): Html {
  const rows = (Object.keys(FACT_NAMES) as (keyof typeof FACT_NAMES)[]).flatMap((key) => {
    const value = gpu[key];
    const { title = null, url = null } = gpu.sources[key] ?? {};
    const [name, unit] = FACT_NAMES[key];
    const source = title === null ? html`` : url === null ? html`${title}` : html`<a href="${url}">${title}</a>`;
    return value === null
      ? []
      : [
          html`<tr>
            <th scope="row">${name}</th>
            <td class="num">${key === "year" ? String(value) : countText(value)} ${unit}</td>
            <td>${source}</td>
          </tr>`,
        ];
  });
  return html`<table class="facts">
      <thead>
        <tr>
          <th scope="col">Fact</th>
          <th scope="col" class="num">Value</th>
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Memory</th>
          <td class="num">${gpu.vramGB} GB</td>
          <td></td>
        </tr>
        ${join(rows)}
      </tbody>
    </table>
    ${gpu.note === null ? "" : html`<p class="sub">${gpu.note}</p>`}`;
}
