import {
  availabilityOf,
  availabilityWords,
  fitOf,
  ListingCursor,
  memoryNeed,
  nearestGpus,
  parseModelNeed,
  stockPercent,
  type Fit,
  type GpuEntry,
} from "@gpu-offers/domain";
import { type Address, countOf, countText, gpuText, placeText, printable, stockText, UNKNOWN } from "@gpu-offers/list";
import type { GpuStockList } from "@gpu-offers/domain/history";
import { gpuNotFound, rememberedStock } from "../listings/gpu-market.js";
import { inSlices } from "../wire/loop-turns.js";
import type { ListingView } from "../listings/listing-view.js";
import { html, type Html, table, type PageContent } from "./html.js";
import { glance, sampleNote, usd } from "./market-tiles.js";
import { daysOf, readSeries, pricesOverTime, spanLinks, type GpuPageSources } from "./prices-over-time.js";
import { COLUMNS, modelTable } from "./model-table.js";

// The pages of a GPU, with what is known of it, and of all GPUs, with the prices of some over time. They are whole without scripts.

const CHEAPEST = 10;

/** Models whose fit is shown, and their bits per parameter. */
const FITTED = ["8b@16", "8b@4", "32b@16", "32b@4", "70b@16", "70b@8", "70b@4", "120b@4", "405b@8", "671b@8"] as const;

/** The page of a GPU. @throws ApiError if no GPU has this slug, or if pages don't show that number of days. */
export async function gpuPage(slug: string, since: string | undefined, sources: GpuPageSources): Promise<PageContent> {
  const { view, nowMs } = sources;
  const { market } = view;
  const gpu = market.gpus.find((known) => known.slug === slug);
  if (gpu === undefined) {
    return gpuNotFound(nearestGpus(slug, market.snapshot.listedGpus));
  }
  const days = daysOf(since);
  const { series } = await readSeries([`=${slug}`], days, sources);
  const { cheapest, ofSizes } = await offersOf(slug, view);
  const { pricePerGpu, rentable, providers } = gpu.market;
  const price = pricePerGpu === null ? "not for rent now" : `from ${usd(pricePerGpu.min)}/h`;
  const range = pricePerGpu === null ? "" : `, median ${usd(pricePerGpu.median)}`;
  const note = sampleNote(gpu, market.snapshot);
  const sentence = `${gpu.name}, ${gpu.vramGB} GB: ${price}${range}, ${countOf(rentable, "offer")} of ${countOf(providers, "provider")}${note === "" ? "" : `; ${note}`}.`;
  return {
    title: `${gpu.name} ${price}`,
    description: `${sentence} Prices over time, stock by provider, and which models fit.`,
    content: html`<h1>${gpu.name}</h1>
      <p>${sentence}</p>
      ${statsOf(gpu)}
      <p>
        <a class="chip strong rent" href="../?gpu==${encodeURIComponent(slug)}">All offers</a>
      </p>
      <h2>Price over time</h2>
      ${spanLinks(days, (span) => `./${encodeURIComponent(slug)}?since=${span}d`)}
      ${pricesOverTime(series, days, nowMs)}
      <div class="two">
        <div>
          <h2>Cheapest offers</h2>
          ${offerTable(cheapest)}
          <p class="sub">The cheapest one of each provider.</p>
        </div>
        <div>
          <h2>Models that fit</h2>
          ${fitTable(gpu)}
        </div>
      </div>
      <h2>Stock by provider and size</h2>
      ${stockTable(ofSizes, rememberedStock(slug, market.snapshot), nowMs)}
      <h2>Worth beside its neighbors</h2>
      ${modelTable(neighborsOf(gpu, market.gpus), { root: "../", shown: new Set([slug]) })}
      <h2>Facts</h2>
      ${factTable(gpu)}`,
  };
}

function statsOf({ market: { pricePerGpu, isAtLeast, spotMin } }: GpuEntry): Html {
  const { min, p10, median, p90 } = pricePerGpu ?? {};
  const stats = [
    ["from", min],
    ["p10", p10],
    ["median", median],
    ["p90", p90],
    ["spot from", spotMin],
  ] as const;
  return html`<dl class="stats">
    ${stats.map(([name, price]) =>
      price == null
        ? html``
        : html`<div>
            <dt>${name}</dt>
            <dd>${glance(price, isAtLeast && name === "from")}</dd>
          </div>`,
    )}
  </dl>`;
}

type Listed = ReturnType<ListingView["listingAt"]>;

/** The cheapest offer of each provider per GPU, and of each of its sizes; those that are sold out are last. */
async function offersOf(slug: string, view: ListingView): Promise<{ cheapest: Listed[]; ofSizes: Listed[] }> {
  const { selection } = view.catalog.prepare({ gpu: [`=${slug}`], verified: "not-false" });
  const page = { page: 0, size: view.catalog.index.size };
  const { positions } = await inSlices(view.catalog.selecting(selection, page));
  const cursor = new ListingCursor(view.snapshot.listings.columns);
  const firsts = new Map<string, number>();
  for (const position of positions) {
    cursor.at = position;
    const key = sizeKey(cursor.offer.provider.name, cursor.offer.gpuCount);
    firsts.set(key, firsts.get(key) ?? position);
  }
  const ofSizes = Array.from(firsts.values(), (position) => view.listingAt(position));
  const ofProviders = Map.groupBy(ofSizes, ({ offer }) => offer.provider.name);
  return { cheapest: [...ofProviders.values()].flatMap(([first]) => first ?? []).slice(0, CHEAPEST), ofSizes };
}

const sizeKey = (provider: string, gpuCount: number): string => `${gpuCount} ${provider}`;

function offerTable(offers: readonly Listed[]): Html {
  return offers.length === 0
    ? html`<p>No offers.</p>`
    : table({
        label: "Cheapest offers",
        headings: ["Offer", { num: "$/GPU-h" }, "Provider", { num: "$/h" }, "Where", "Stock"],
        rows: offers.map((listing) => [
          html`<a href="../?offer=${listing.offer.id}">${gpuText(listing.offer)}</a>`,
          usd(listing.offer.pricePerGpu),
          printable(listing.offer.provider.name),
          usd(listing.offer.priceHourly),
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
  const bests = new Map(offers.map((one) => [sizeKey(one.offer.provider.name, one.offer.gpuCount), one]));
  const regions = Map.groupBy(stock, ({ provider, gpuCount }) => sizeKey(provider, gpuCount));
  const cellOf = (name: string, size: number): Html => {
    const best = bests.get(sizeKey(name, size));
    const [often] = (regions.get(sizeKey(name, size)) ?? []).sort(
      (a, b) => (stockPercent(b) ?? 0) - (stockPercent(a) ?? 0),
    );
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

const FACTS = [
  ["memoryBandwidthGBs", "Memory bandwidth", "GB/s"],
  ["bf16Tflops", "BF16, dense", "TFLOPS"],
  ["fp16Tflops", "FP16, dense", "TFLOPS"],
  ["fp8Tflops", "FP8, dense", "TFLOPS"],
  ["nvlinkGBs", "NVLink", "GB/s"],
  ["tdpW", "Power", "W"],
  ["year", "Year", ""],
] as const;

function factTable(gpu: GpuEntry): Html {
  const rows = FACTS.flatMap(([key, name, unit]) => {
    const value = gpu[key];
    const { title = null, url = null } = gpu.sources[key] ?? {};
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

const MOST_SERIES = 6;

/** All GPUs, and some of them over time. */
export async function gpusPage(
  { given, since }: Pick<Address, "given" | "since">,
  sources: GpuPageSources,
): Promise<PageContent> {
  const { market } = sources.view;
  const { nowMs } = sources;
  const days = daysOf(since);
  const [gpu, sort] = [given.get("gpu"), given.get("sort_by")];
  const listed = market.gpus.filter((one) => one.market.offers > 0);
  const most = listed.toSorted((a, b) => b.market.providers - a.market.providers)[0]?.slug;
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
  const linkOf = (key: string, name: string): Html =>
    html`${key === sort ? "↑ " : ""}<a href="${address({ sort_by: key })}">${name}</a>`;
  const shownSlugs = new Set(series.flatMap(({ prices }) => prices.slugs));
  const title = names.length > 1 ? series.map(({ name }) => name).join(", ") : "GPUs";
  return {
    title: `${title}: prices over time`,
    description: `What ${countOf(listed.length, "GPU model")} cost per hour now and over time, and what they are worth.`,
    content: html`<h1>${title}</h1>
      ${problems.map((line) => html`<p class="notice">${line}</p>`)}
      ${names.length > MOST_SERIES ? html`<p class="notice">A chart shows at most ${MOST_SERIES} GPUs.</p>` : ""}
      ${spanLinks(days, (span) => address({ since: `${span}d` }))} ${pricesOverTime(series, days, nowMs)}
      <form action="./" method="get">
        <input type="hidden" name="view" value="gpus" />
        <input type="hidden" name="since" value="${days}d" />
        <p>
          ${countOf(listed.length, "model")}. Prices in USD per GPU-hour of what can be rented now, or of the sample
          where nothing can, without disk; worth by the lowest one.
          <button class="chip">Show the marked ones over time</button>
        </p>
        ${modelTable(rows, { root: "./", shown: shownSlugs, linkOf })}
      </form>`,
  };
}
