import { addedFactsOf, compareOffers, compileSearch, toMicrosUp, type Offer } from "@gpu-offers/domain";
import {
  ageRangeOf,
  ageRangeText,
  COMPARED_NAMES,
  comparedDistance,
  comparedText,
  countOf,
  facetRows,
  gpuText,
  lowerBound,
  matching,
  offerFacts,
  placeText,
  printable,
  SORTS,
  sortWords,
  totalMicros,
  usdText,
  withFilter,
  type FactOptions,
  type Query,
} from "@gpu-offers/list";
import { arranged } from "../catalog/arranged.js";
import { readingsOf } from "../catalog/matches.js";
import { summaryParts } from "../output/offer-words.js";
import type { Dialog, Prompted } from "./dialog.js";

const PAGE = 15;

/** State of the offer list. */
interface Listing {
  query: Query;
  offers: readonly Offer[];
  /** Index of the first offer of the page. */
  top: number;
}

const HELP = [
  "Number: choose that offer.",
  "Enter: next page.",
  "/words: filter, such as /8xh100 eu. / alone clears the filter.",
  "s: next sort key. r: reverse the order.",
  "A: toggle unavailable offers.",
  "d and a number: details of that offer, such as d 3.",
  "= and numbers: compare these offers, such as = 1 3.",
  "f: values to filter by, with their counts. f and a name of a group: all of its values, such as f provider.",
];

/** Input of the offer prompt. */
interface OfferPrompt extends Pick<FactOptions, "balance" | "pricesAsOf"> {
  dialog: Dialog;
  /** All loaded offers, also those that don't match. */
  all: readonly Offer[];
  query: Query;
  /** The query with images, if its words ask for one. */
  withImages: (query: Query) => Promise<Query>;
}

/** Prompts for an offer until an available one is chosen. */
export async function promptOffer({ dialog, all, query, withImages, ...known }: OfferPrompt): Promise<Prompted<Offer>> {
  let listing = listingOf(all, query);
  const age = { pricesAsOf: known.pricesAsOf ?? new Map(), staleProviders: [] };
  dialog.say(sentence(ageRangeText(ageRangeOf(all, age), Date.now())));
  readingsOf(all, query).forEach((reading) => dialog.say(sentence(reading)));
  printOffers(dialog, listing);
  for (;;) {
    const reply = await dialog.ask("Number to choose, Enter for more, /words to filter, ? for help, q to quit:", HELP);
    if (reply.kind === "left") {
      return reply;
    }
    const text = reply.kind === "back" ? "/" : reply.text;
    const chosen = /^\d+$/.test(text) ? listing.offers[Number(text) - 1] : undefined;
    if (chosen?.isAvailable === true) {
      return { kind: "chosen", value: chosen };
    }
    if (chosen !== undefined) {
      dialog.say("That offer is unavailable.");
      continue;
    }
    const next = changed(all, listing, text);
    if (next !== undefined) {
      listing = listingOf(all, await withImages(next.query), next.top);
      if (text.startsWith("/")) {
        readingsOf(all, listing.query).forEach((reading) => dialog.say(sentence(reading)));
      }
      printOffers(dialog, listing);
    } else if (
      !printDetails(dialog, { ...listing, ...known }, text) &&
      !printComparison(dialog, { ...listing, ...known }, text) &&
      !printFacets(dialog, all, { ...listing, text })
    ) {
      dialog.say(
        /^\d+$/.test(text) ? `There is no offer ${text} in the list.` : `${JSON.stringify(text)} is not a command.`,
      );
    }
  }
}

/** Applies a page, order or filter command; undefined for other input. */
function changed(all: readonly Offer[], { query, offers, top }: Listing, text: string): Listing | undefined {
  if (text === "") {
    return { query, offers, top: top + PAGE < offers.length ? top + PAGE : 0 };
  }
  if (text.startsWith("/")) {
    const words = text.slice(1).trim();
    return listingOf(all, {
      ...query,
      filter: withFilter(query.filter, "search", words === "" ? undefined : compileSearch(words, { takesSlips: true })),
    });
  }
  switch (text) {
    case "s":
      return listingOf(all, {
        ...query,
        sort: SORTS[(SORTS.findIndex((key) => key === query.sort) + 1) % SORTS.length] ?? query.sort,
      });
    case "r":
    case "S":
      return listingOf(all, { ...query, order: query.order === "asc" ? "desc" : "asc" });
    case "a":
    case "A": {
      const available = query.filter.available === true ? undefined : true;
      return listingOf(all, { ...query, filter: withFilter(query.filter, "available", available) });
    }
    default:
      return undefined;
  }
}

function listingOf(all: readonly Offer[], query: Query, top = 0): Listing {
  return { query, offers: matching(arranged(all, query), query.filter), top };
}

function printOffers(dialog: Dialog, { offers, top, query }: Listing): void {
  const page = offers.slice(top, top + PAGE);
  printNumbered(dialog, page, { first: top + 1, diskGb: query.filter.diskGb, sort: query.sort });
  const place = page.length === 0 ? "" : `, ${top + 1} to ${top + page.length} shown, ${sortWords(query)}`;
  dialog.say(`${countOf(offers.length, "offer")}${place}.`);
}

/** Numbered offers, one per line. */
export function printNumbered(
  dialog: Dialog,
  offers: readonly Offer[],
  { first, diskGb, sort }: { first: number; diskGb: number | undefined; sort?: Query["sort"] },
): void {
  for (const [index, offer] of offers.entries()) {
    const parts = summaryParts(offer, diskGb, undefined).map(({ text }) => text);
    // The price that the list is sorted by is one of those that are said.
    const isSaid = offer.gpuCount === 1 && totalMicros(offer, diskGb) === toMicrosUp(offer.priceHourly);
    const perGpu =
      sort === "pricePerGpu" && !isSaid ? [`${lowerBound(offer)}${usdText(offer.pricePerGpu)} per GPU`] : [];
    dialog.say(`${first + index}. ${[...parts, ...perGpu].join(", ")}`);
  }
}

/** Prints details for `d 3`; false for other input. */
function printDetails(
  dialog: Dialog,
  { offers, query, balance, pricesAsOf }: Listing & Pick<FactOptions, "balance" | "pricesAsOf">,
  text: string,
): boolean {
  const number = /^d\s*(\d+)$/.exec(text)?.[1];
  const offer = offers[Number(number) - 1];
  if (offer === undefined) {
    return false;
  }
  for (const [name, value] of offerFacts(offer, {
    diskGb: query.filter.diskGb,
    balance,
    pricesAsOf,
    stated: addedFactsOf(offer),
  })) {
    dialog.say(`${name}: ${value}`);
  }
  return true;
}

/** Prints the comparison for `= 1 3`; false for other input. */
function printComparison(
  dialog: Dialog,
  { offers, query, balance, pricesAsOf }: Listing & Pick<FactOptions, "balance" | "pricesAsOf">,
  text: string,
): boolean {
  const numbers = /^=\s*(\d+(?:[\s,]+\d+)+)$/.exec(text)?.[1]?.split(/[\s,]+/) ?? [];
  const chosen = numbers.flatMap((number) => offers[Number(number) - 1] ?? []);
  if (chosen.length < 2) {
    return false;
  }
  const facts = compareOffers(chosen, {
    diskGb: query.filter.diskGb,
    balance,
    pricesAsOf: ({ provider }) => pricesAsOf?.get(provider.name),
  });
  chosen.forEach((offer, index) =>
    dialog.say(`${numbers[index]}: ${gpuText(offer)}, ${printable(offer.provider.name)} ${placeText(offer)}`),
  );
  for (const fact of facts.filter(({ differs }) => differs)) {
    const values = chosen.map((_, index) => comparedText(fact, chosen, index) + comparedDistance(fact, index));
    dialog.say(`${COMPARED_NAMES[fact.key]}: ${values.join("; ")}`);
  }
  return true;
}

/** Number of values of a group that are said unless all are requested. */
const FACETS_SHOWN = 5;

/** Prints the facets for `f`, and all values of a group for `f provider`; false for other input. */
function printFacets(
  dialog: Dialog,
  all: readonly Offer[],
  { query, text }: Pick<Listing, "query"> & { text: string },
): boolean {
  const [, wanted = ""] = /^f(?:\s+(\w+))?$/i.exec(text) ?? [];
  if (!/^f\b/i.test(text)) {
    return false;
  }
  const rows = facetRows(all, query.filter, new Map()).filter((row) => row.kind === "value");
  const groups = [...Map.groupBy(rows, ({ group }) => group)].filter(([name]) =>
    name.toLowerCase().startsWith(wanted.toLowerCase()),
  );
  for (const [name, values] of groups) {
    const shown = wanted === "" ? values.slice(0, FACETS_SHOWN) : values;
    const more = values.length - shown.length;
    const texts = shown.map(({ label, count }) => `${label} ${count}`);
    dialog.say(`${name}: ${[...texts, ...(more > 0 ? [`${more} more`] : [])].join(", ")}.`);
  }
  dialog.say("Filter by a value with / and its name.");
  return true;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith("?") ? "" : "."}`;
}
