import {
  availabilityOf,
  availabilityWords,
  fitOf,
  memoryNeed,
  nearestGpus,
  parseModelNeed,
  selectGpus,
  stockPercent,
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
  stockText,
  UNKNOWN,
  WORTH_DECIMALS,
  type Address,
  type Decimals,
} from "@gpu-offers/list";
import type { GpuStockList } from "@gpu-offers/domain/history";
import { gpuNotFound, rememberedStock } from "../gpus/gpu-names.js";
import type { GpuMarket } from "../gpus/gpu-market.js";
import type { GpuPriceReader } from "../gpus/gpu-prices.js";
import { inSlices } from "../listings/in-slices.js";
import type { ListingView } from "../listings/listing-view.js";
import { invalidParameters } from "../wire/api-error.js";
import { html, join, type Html } from "./html.js";
import { changeText, gpuPath, usd } from "./market-tiles.js";
import { priceChart, priceTable } from "./price-chart.js";
import { table } from "./table.js";

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
  const mark = ({ slug, name }: GpuEntry): Html =>
    linkOf === undefined
      ? html``
      : html`<input
          type="checkbox"
          name="gpu"
          value="=${slug}"
          aria-label="${name} in the chart"
          ${shown.has(slug) ? "checked" : ""}
        />`;
  return table({
    label: "GPUs",
    className: "models",
    headings: [
      "GPU",
      { num: "Offers" },
      ...COLUMNS.map(({ title, sort }) => ({
        num: sort === undefined || linkOf === undefined ? title : html`<a href="${linkOf(sort)}">${title}</a>`,
      })),
    ],
    rows: gpus.map((gpu) => [
      html`${mark(gpu)} <a href="${root}${gpuPath(gpu.slug)}">${gpu.name}</a>`,
      html`<a
        href="${root}?gpu==${encodeURIComponent(gpu.slug)}"
        aria-label="${countOf(gpu.market.offers, "offer")} of ${gpu.name}"
        >${countText(gpu.market.offers)}</a
      >`,
      ...COLUMNS.map(({ value, text }) => {
        const number = value(gpu);
        return number === null ? UNKNOWN : text(number, gpu, decimals);
      }),
    ]),
    attributes: (index) => (shown.has(gpus[index]?.slug ?? "") ? html`class="is-current"` : html``),
  });
}

/** The days of `90d`; 90 by default. @throws ApiError if pages don't show that number of days. */
function daysOf(since: string | undefined): number {
  const days = SPANS.find((known) => `${known}d` === (since ?? "90d"));
  if (days === undefined) {
    const reason = `must be ${SPANS.map((known) => `${known}d`).join(", ")}, not ${quoted(since ?? "")}`;
    throw invalidParameters([{ name: "since", reason }]);
  }
  return days;
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
export async function gpusPage(
  { given, since }: Pick<Address, "given" | "since">,
  sources: GpuPageSources,
): Promise<PageContent> {
  const { market, nowMs } = sources;
  const days = daysOf(since);
  const [gpu, sort] = [given.get("gpu"), given.get("sort_by")];
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

/** The page of a GPU. @throws ApiError if no GPU has this slug, or if pages don't show that number of days. */
export async function gpuPage(slug: string, since: string | undefined, sources: GpuPageSources): Promise<PageContent> {
  const { market, nowMs } = sources;
  const gpu = market.gpus.find((known) => known.slug === slug);
  if (gpu === undefined) {
    return gpuNotFound(nearestGpus(slug, market.snapshot.listedGpus));
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
      ${stockTable(offers, rememberedStock(slug, market.snapshot), nowMs)}
      <h2>Worth beside its neighbors</h2>
      ${modelTable(neighborsOf(gpu, market.gpus), { root: "../", shown: new Set([slug]) })}
      <h2>Models that fit</h2>
      ${fitTable(gpu)}
      <h2>Facts</h2>
      ${factTable(gpu)}`,
  };
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
  return offers.length === 0
    ? html`<p>No offers.</p>`
    : table({
        label: "Cheapest offers",
        headings: ["Offer", { num: "$/GPU-h" }, { num: "$/h" }, "Provider", "Where", "Stock"],
        rows: offers.map((listing) => [
          html`<a href="../?offer=${listing.offer.id}">${gpuText(listing.offer)}</a>`,
          usd(listing.offer.pricePerGpu),
          usd(listing.offer.priceHourly),
          printable(listing.offer.provider.name),
          placeText(listing.offer),
          availabilityWords(availabilityOf(listing)),
        ]),
      });
}

/** What each provider has of each size: the lowest price per GPU, how it can be had, and how often it could be. */
function stockTable(offers: readonly Listed[], { asOf, stock }: Omit<GpuStockList, "gpu">, nowMs: number): Html {
  const have = [
    ...offers.map(({ offer }) => ({ provider: offer.provider.name, gpuCount: offer.gpuCount })),
    ...stock.filter(({ lastInStockAt }) => lastInStockAt !== null),
  ];
  const sizes = [...new Set(have.map(({ gpuCount }) => gpuCount))].sort((a, b) => a - b);
  const cellOf = (name: string, size: number): Html => {
    // Offers are in order: those that can be had, by price
    const best = offers.find(({ offer }) => offer.provider.name === name && offer.gpuCount === size);
    const [often] = stock
      .filter(({ provider, gpuCount }) => provider === name && gpuCount === size)
      .sort((a, b) => (stockPercent(b) ?? 0) - (stockPercent(a) ?? 0));
    const now = best && html`${usd(best.offer.pricePerGpu)} <small>${availabilityWords(availabilityOf(best))}</small>`;
    return html`${now ?? UNKNOWN}${
      often === undefined ? "" : html`<br /><small>${printable(often.region)}: ${stockText(often, nowMs)}</small>`
    }`;
  };
  return html`${table({
      label: "Stock",
      headings: ["Provider", ...sizes.map((size) => `${size}×`)],
      rows: [...new Set(have.map(({ provider }) => provider))].map((name) =>
        [html`${printable(name)}`].concat(sizes.map((size) => cellOf(name, size))),
      ),
    })}
    <p class="sub">
      ${
        asOf === null
          ? "How often they were in stock isn't known: no source that states it was observed yet."
          : `Prices are per GPU-hour, now. Below them is the region that was most often in stock within 14 days, as of ${asOf.slice(0, 16)}Z, where a source states it.`
      }
    </p>`;
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
      [
        `${read.need.paramsB}B at ${read.need.bits} bits`,
        `${countText(gb)} GB`,
        count === undefined
          ? "none"
          : html`<a href="../?fits=${text}&gpu==${gpu.slug}&min_gpu_count=${count}">${count}×</a>${
                into(count) === "tight" ? " (tight)" : ""
              }`,
      ],
    ];
  });
  return html`${table({ label: "Models that fit", headings: ["Model", { num: "About" }, gpu.name], rows })}
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
    return value === null ? [] : [[name, `${key === "year" ? String(value) : countText(value)} ${unit}`, source]];
  });
  return html`${table({
    label: "Facts",
    headings: ["Fact", { num: "Value" }, "Source"],
    rows: [["Memory", `${gpu.vramGB} GB`, ""], ...rows],
  })}
  ${gpu.note === null ? "" : html`<p class="sub">${gpu.note}</p>`}`;
}
