import { compileSearch, type Offer } from "@gpu-offers/domain";
import {
  comparatorOf,
  countOf,
  type FactOptions,
  matching,
  offerFacts,
  type Query,
  SORTS,
  sortWords,
  withFilter,
} from "@gpu-offers/list";
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
];

/** Input of the offer prompt. */
export interface OfferPrompt extends Pick<FactOptions, "balance" | "pricesAsOf"> {
  dialog: Dialog;
  /** All loaded offers, also those that don't match. */
  all: readonly Offer[];
  query: Query;
}

/** Prompts for an offer until an available one is chosen. */
export async function promptOffer({ dialog, all, query, ...known }: OfferPrompt): Promise<Prompted<Offer>> {
  let listing = listingOf(all, query);
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
      listing = next;
      printOffers(dialog, listing);
    } else if (!printDetails(dialog, { ...listing, ...known }, text)) {
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

function listingOf(all: readonly Offer[], query: Query): Listing {
  return { query, offers: matching(all, query.filter).sort(comparatorOf(query)), top: 0 };
}

function printOffers(dialog: Dialog, { offers, top, query }: Listing): void {
  const page = offers.slice(top, top + PAGE);
  printNumbered(dialog, page, { first: top + 1, diskGb: query.filter.diskGb });
  const place = page.length === 0 ? "" : `, ${top + 1} to ${top + page.length} shown, ${sortWords(query)}`;
  dialog.say(`${countOf(offers.length, "offer")}${place}.`);
}

/** Numbered offers, one per line. */
export function printNumbered(
  dialog: Dialog,
  offers: readonly Offer[],
  { first, diskGb }: { first: number; diskGb: number | undefined },
): void {
  for (const [index, offer] of offers.entries()) {
    const parts = summaryParts(offer, diskGb, undefined).map(({ text }) => text);
    dialog.say(`${first + index}. ${parts.join(", ")}`);
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
  for (const [name, value] of offerFacts(offer, { diskGb: query.filter.diskGb, balance, pricesAsOf })) {
    dialog.say(`${name}: ${value}`);
  }
  return true;
}
