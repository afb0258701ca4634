import type { GpuEntry } from "@gpu-offers/domain";
import { countOf, type Address } from "@gpu-offers/list";
import { html, type PageContent } from "./html.js";
import { daysOf, readSeries, pricesOverTime, spanLinks, type GpuPageSources } from "./prices-over-time.js";
import { COLUMNS, modelTable } from "./model-table.js";

// The page of all GPUs, with the prices of some over time. It is whole without scripts.

/** GPUs in a chart. */
const MOST_SERIES = 6;

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
      ${problems.map((line) => html`<p class="notice">${line}</p>`)}
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
