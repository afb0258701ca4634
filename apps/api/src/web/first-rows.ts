import {
  asSentence,
  isAtLeast,
  isPlainText,
  leftOut,
  LISTING_FILTER_NAMES,
  LISTING_PARAMETERS,
  listingTotal,
  availabilityOf,
  pricedOffer,
  toMicrosUp,
  understoodText,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
  type ListingSelection,
} from "@gpu-offers/domain";
import {
  ageOf,
  ageRangeOf,
  ageRangeText,
  chipsOf,
  countOf,
  countText,
  decimalsFor,
  givenQuery,
  diskOf,
  gpuText,
  JOB_FILTERS,
  jobWords,
  leftOutText,
  microsText,
  pageQuery,
  placeText,
  printable,
  readAddress,
  shownDiskGb,
  sourceNotices,
  stockNote,
  usualStock,
  usdMicrosText,
  type Address,
  type Decimals,
} from "@gpu-offers/list";
import { QueryParameters } from "../http/query-parameters.js";
import { inSlices } from "../wire/loop-turns.js";
import type { ListingView } from "../listings/listing-view.js";
import type { MarketSummary } from "../gpus/market-summary.js";
import { html, join, type Html, type PageContent } from "./html.js";
import { marketSection } from "./market-tiles.js";
import { offerPage } from "./offer-page.js";

// The first rows of the list in the HTML of the page: what is shown before its script runs, or without it, with links to the
// other rows. The texts and the rules are those of the page, whose script replaces the rows unless the catalog is too large.

const ROWS = 25;

/** Reads the address of the page, and says what is wrong with it. */
export function readPage(text: string): Address {
  const { values, problems } = new QueryParameters(text).read();
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    // A form marks several GPUs
    (name === "gpu" && values["view"] === "gpus" ? [[value].flat().join(",")] : [value].flat()).map(
      (one) => [name, one] as const,
    ),
  );
  const address = readAddress(pairs);
  return { ...address, problems: [...problems.map(({ name, reason }) => sentence(name, reason)), ...address.problems] };
}

function sentence(name: string, reason: string): string {
  const shown = isPlainText(name) ? name.slice(0, 64).toWellFormed() : "A parameter";
  return asSentence(`${shown} ${reason}`);
}

/** The form, with the values of the query. Without the script, it requests the page again. @param job what its words say. */
function formOf(texts: Address["given"], job: ReturnType<typeof jobWords>): Html {
  // A new search begins with the first page
  const fields = new Set<string>(["q", "page", ...JOB_FILTERS]);
  const valueOf = (name: ListingParameterName): string => texts.get(name) ?? "";
  return html`<form class="query" role="search" action="./" method="get">
    <input
      id="q"
      name="q"
      type="search"
      value="${valueOf("q")}"
      placeholder="8xh100 eu <2.5"
      aria-label="Search words"
      autocomplete="off"
    />
    <div class="job">
      ${JOB_FILTERS.map((name) => filterField(name, valueOf(name), job))}
      ${hiddenOf(texts, (name) => !fields.has(name))}<button class="unseen" tabindex="-1">Search</button
      ><noscript><button class="chip strong">Search</button></noscript>
    </div>
  </form>`;
}

function hiddenOf(texts: Address["given"], isWanted: (name: ListingParameterName) => boolean): Html[] {
  const hidden = [...texts].filter(([name]) => isWanted(name));
  return hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

/** All filters as a form, for browsers without scripts. */
function filtersOf(texts: Address["given"]): Html {
  return html`<noscript
    ><details class="filters">
      <summary>Filters</summary>
      <form action="./" method="get">
        ${FORM_FILTERS.map((name) => filterField(name, texts.get(name) ?? ""))}
        ${hiddenOf(texts, (name) => name !== "page" && !FORM_FILTERS.includes(name))}
        <button class="chip strong">Show offers</button>
      </form>
    </details></noscript
  >`;
}

const FORM_FILTERS = LISTING_FILTER_NAMES.filter((name) => name !== "q" && !JOB_FILTERS.includes(name));

/**
 * The field of a filter. As a part of the job, it has the words around it that the page's script gives it, and shows what the
 * words of the query say; they aren't its value, because a form would send them twice.
 */
function filterField(name: ListingParameterName, value: string, said?: ReturnType<typeof jobWords>): Html {
  const { control, kind, values = [] }: ListingParameter = LISTING_PARAMETERS[name];
  const { label = name, labels = values } = control ?? {};
  const job = said && control?.job;
  const words = said?.get(name);
  const example = words?.text ?? job?.example ?? "";
  const after = (value === "" ? words?.after : undefined) ?? job?.after ?? "";
  if (kind === "boolean") {
    return html`<label class="check"
      ><input type="checkbox" name="${name}" value="true" ${value === "true" ? "checked" : ""} /> ${label}</label
    >`;
  }
  const shown = kind === "names" ? value.replaceAll("=", "") : value;
  const known = kind === "choice" ? values : job && control?.known;
  const others = shown === "" || known?.includes(shown) === true ? [] : [shown];
  const mode = /^(?:text|names|regions|choices)$/.test(kind) ? "text" : "decimal";
  const before = job === undefined ? html`${label}` : html`${job.before} <span class="unseen">${label} </span>`;
  const field =
    known === undefined
      ? html`<input name="${name}" inputmode="${mode}" placeholder="${example}" value="${shown}" />`
      : html`<select name="${name}">
          <option value="">${example}</option>
          ${[...others, ...known].map(
            (one) =>
              html`<option value="${one}" ${one === shown ? "selected" : ""}>
                ${labels[known.indexOf(one)] ?? one}
              </option>`,
          )}
        </select>`;
  return html`<label>${before} ${field} ${after}</label>`;
}

/** The header of the pages; a form, if one is given. @param root the root as a relative link. */
export function headerOf(root: string, form?: Html): Html {
  return html`<header class="top">
    <h1><a href="${root}">gpu-offers</a></h1>
    ${form ?? ""}
    <nav aria-label="Pages">
      ${form === undefined ? html`<a href="${root}">Offers</a> ` : ""}<a href="${root}?view=gpus">GPUs</a>
      <a href="${root}docs">API</a>
    </nav>
  </header>`;
}

/**
 * The page of the list: header, market, count and the first rows that match the query of an address.
 * @param nowMs milliseconds since 1970.
 * @param admit called with the query before it is evaluated; it may throw.
 */
export async function firstRows(
  view: ListingView,
  { given: texts, problems, offer }: Address,
  {
    nowMs,
    admit,
    summary,
  }: { nowMs: number; admit: (query: ListingQuery) => void; summary: MarketSummary | undefined },
): Promise<PageContent> {
  const query = pageQuery(texts);
  admit(query);
  const { query: wished, search, selection, understood, problems: contradictions } = view.catalog.prepare(query);
  const notices = [
    ...sourceNotices(view.sources),
    ...problems,
    ...contradictions.map(({ parameter, reason }) => sentence(parameter, reason)),
    ...understood.map((one) => `${understoodText(one)}.`),
  ];
  const list = contradictions.length > 0 ? undefined : await listOf(view, { query: wished, texts }, selection, nowMs);
  const opened = offer === undefined ? undefined : offerPage(view, offer, wished);
  const params = searchOf(texts, { page: "0" });
  // A disk that is remembered isn't a query
  const isBare = offer === undefined && [...texts.keys()].every((name) => name === "disk");
  return {
    feed: `./feed${params === "" ? "" : `?${params}`}`,
    title: opened?.title ?? list?.title ?? "",
    description: opened?.description ?? list?.description ?? "",
    content: html`${headerOf("./", formOf(texts, jobWords(view.catalog, search)))} ${filtersOf(texts)}
    ${notices.map((notice) => html`<p class="notice">${printable(notice)}</p>`)}
    ${summary === undefined ? "" : marketSection(summary, view, nowMs, isBare)}${
      opened === undefined ? "" : html`<noscript>${opened.content}</noscript>`
    }${list?.content ?? ""}`,
  };
}

async function listOf(
  view: ListingView,
  { query, texts }: { query: ListingQuery; texts: Address["given"] },
  selection: ListingSelection,
  nowMs: number,
): Promise<PageContent> {
  const { filter } = selection;
  const disk = shownDiskGb(query, selection);
  const { page = 0 } = query;
  const { positions, total, excludedBy } = await inSlices(view.catalog.selecting(selection, { page, size: ROWS }));
  const rows = Array.from(positions, (position) => rowAt(view, position, filter, { disk, hours: query.hours }));
  const offers = rows.map(({ offer }) => offer);
  const age = ageRangeText(ageRangeOf(offers, ageOf(view)), nowMs);
  const usual = usualStock(view.catalog.index);
  const first = page === 0 ? "first" : `rows ${countText(page * ROWS + 1)} to`;
  const facts = [
    html`<strong>${countOf(total, "offer")}</strong> of ${countText(view.catalog.index.size)}`,
    rows.length > 0 && total > rows.length && html`${first} ${countText(page * ROWS + rows.length)} shown`,
    rows.length > 0 && html`${age}${usual.text}`,
    ...leftOut(filter, excludedBy).map((one) => html`${leftOutText(one)}`),
  ].filter((fact) => fact !== false);
  const decimals = decimalsFor(
    rows.flatMap(({ offer, hourly }) => [toMicrosUp(offer.pricePerGpu), toMicrosUp(hourly)]),
  );
  const width = query.hours === undefined ? 5 : 6;
  const firstOff = rows.findIndex(({ isOff }) => isOff);
  const divider = html`<tr class="divider">
    <td colspan="${width}">Sold out</td>
  </tr> `;
  const names = [query.q ?? "", ...chipsOf(givenQuery(texts)).flatMap(({ name, text }) => (name === "q" ? [] : text))];
  const about = names.filter((name) => name !== "").join(", ");
  const [best] = rows;
  const cheapest =
    best === undefined || best.isOff
      ? ""
      : ` from ${best.isAtLeast ? "≥" : ""}${usdMicrosText(toMicrosUp(best.hourly))}/h`;
  const providers = new Set(offers.map(({ provider }) => provider.name)).size;
  const content = html`<p class="count"><span>${join(facts, " · ")}</span></p>
    <table class="offers first${query.hours === undefined ? "" : " has-hours"}">
      <thead>
        <tr>
          <th scope="col" class="c-gpu">GPU</th>
          <th scope="col" class="wide">Provider</th>
          <th scope="col" class="wide">Where</th>
          <th scope="col" class="num">$/GPU-h</th>
          <th scope="col" class="num">${disk === undefined ? "$/h+disk" : `$/h+${countText(disk)} GB`}</th>
          ${query.hours === undefined ? "" : html`<th scope="col" class="num">${countText(query.hours)} h</th>`}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row, at) => {
          const href = `./?${searchOf(texts, { offer: row.id })}`;
          return html`${at === firstOff ? divider : ""}${rowOf(row, decimals, href)} `;
        })}
      </tbody>
    </table>
    ${pagesOf(texts, page, Math.ceil(total / ROWS))}`;
  return {
    title: about === "" ? "" : `${about}${cheapest}`,
    description:
      about === ""
        ? ""
        : `${countOf(total, "offer")}${cheapest}${rows.length === 0 ? "" : `, the first ${rows.length} of ${countOf(providers, "provider")}, ${age}`}.`,
    content,
  };
}

/** The query of an address with other parameters; the first page has no number. */
function searchOf(texts: Address["given"], change: Record<string, string>): string {
  const params = new URLSearchParams({ ...Object.fromEntries(texts), ...change });
  params.delete("page", "0");
  return params.toString();
}

/** Links to the pages before and after. */
function pagesOf(texts: Address["given"], page: number, pages: number): Html | string {
  const link = (to: number, label: string): Html =>
    html`<a href="./?${searchOf(texts, { page: String(to) })}">${label}</a>`;
  const links = [
    page > 0 && link(Math.min(page, pages) - 1, "Previous"),
    html`page ${countText(page + 1)} of ${countText(pages)}`,
    page + 1 < pages && link(page + 1, "Next"),
  ].filter((part) => part !== false);
  return pages < 2 ? "" : html`<nav class="pages" aria-label="Pages of offers">${join(links, " · ")}</nav>`;
}

function rowAt(
  view: ListingView,
  position: number,
  { spot }: ListingSelection["filter"],
  { disk, hours }: Pick<ListingQuery, "disk" | "hours">,
) {
  const listing = view.listingAt(position);
  const offer = pricedOffer(listing, spot !== undefined);
  const availability = availabilityOf(listing);
  const isOff = availability === "sold_out";
  const stock = stockNote(availability, usualStock(view.catalog.index));
  return { id: listing.offer.id, offer, isOff, stock, ...listingTotal(offer, { disk: diskOf(offer, disk), hours }) };
}

function rowOf(
  { offer, isOff, stock, hourly, isAtLeast: isTotalAtLeast, forHours }: ReturnType<typeof rowAt>,
  decimals: Decimals,
  href: string,
): Html {
  const cell = (isLowerBound: boolean, text: string): Html =>
    html`<td class="num">${isLowerBound ? "≥" : ""}${text}</td>`;
  const textOf = (usd: number): string => microsText(toMicrosUp(usd), decimals);
  const provider = printable(offer.provider.name);
  const place = `${placeText(offer)}${stock}`;
  return html`<tr class="${isOff ? "row off" : "row"}">
    <th scope="row" class="c-gpu">
      <a class="gpu" href="${href}">${gpuText(offer)}</a> <span class="sub">${provider} · ${place}</span>
    </th>
    <td class="wide">${provider}</td>
    <td class="wide">${place}</td>
    ${cell(isAtLeast(offer), textOf(offer.pricePerGpu))}${cell(isTotalAtLeast, textOf(hourly))}${
      forHours === undefined ? "" : cell(isTotalAtLeast, (Math.ceil(toMicrosUp(forHours) / 10_000) / 100).toFixed(2))
    }
  </tr>`;
}
