import { asSentence, toMicrosUp, type ListedOffer, type ListingQuery, type Offer, isSoldOut } from "@gpu-offers/domain";
import {
  comparedDistance,
  comparedText,
  countOf,
  gpuText,
  lowerBound,
  placeText,
  printable,
  sortText,
  totalMicros,
  usdText,
} from "@gpu-offers/list";
import { launchTextOf } from "../output/result.js";
import { summaryParts } from "../output/offer-words.js";
import { comparedFacts, nameOf } from "../picker/compare-pane.js";
import type { PickerEvent } from "../picker/event.js";
import { shownFacets } from "../picker/facet-rows.js";
import { planFor } from "../picker/launch-pane.js";
import { readingsIn } from "../picker/reading.js";
import type { PickerState } from "../picker/state.js";
import { factsOf } from "../picker/text-pane.js";
import { keys, type Dialog } from "./dialog.js";

// The list of offers as a prompt.

const PAGE = 15;

const HELP = [
  "Number: choose that offer.",
  "Enter: next page.",
  "/words: filter, such as /8xh100 eu. / alone clears the filter.",
  "s: next sort key. r: reverse the order.",
  "A: show only offers that are in stock or listed, or all.",
  "d and a number: details of that offer, such as d 3.",
  "l and a number: texts that rent that offer.",
  "= and numbers: compare these offers, such as = 1 3.",
  "f: values to filter by, with their counts. f and a name of a group: all of its values, such as f provider.",
];

/** Keys of the screen by what is typed. */
const KEYS: Readonly<Record<string, string>> = { s: "s", r: "S", S: "S", a: "A", A: "A" };

/** Prints the first matches, and prompts until the screen would act: an offer is chosen, or the list changes. */
export async function promptOffer(dialog: Dialog, state: PickerState): Promise<readonly PickerEvent[]> {
  const { offers } = state.view;
  readingsIn(state.found).forEach((reading) => dialog.say(sentence(reading)));
  let top = 0;
  printPage(dialog, state, top);
  for (;;) {
    const text = await dialog.ask("Number to choose, Enter for more, /words to filter, ? for help, q to quit:", HELP);
    const key = KEYS[text];
    const offer = offers[Number(text) - 1];
    if (text === "b" || text === "back" || text.startsWith("/")) {
      const words = text.startsWith("/") ? text.slice(1) : "";
      return [...keys("/", "Ctrl-U"), { kind: "paste", text: words }, ...keys("Enter")];
    }
    if (key !== undefined) {
      return keys(key);
    }
    if (offer !== undefined && !isSoldOut(offer)) {
      return [{ kind: "choose", offer }];
    }
    if (text === "") {
      top = top + PAGE < offers.length ? top + PAGE : 0;
      printPage(dialog, state, top);
    } else if (offer !== undefined) {
      dialog.say("That offer is sold out.");
    } else {
      const [said] = COMMANDS.flatMap(([pattern, run]) => {
        const words = pattern.exec(text)?.[1];
        return words === undefined ? [] : [run(state, words)];
      });
      const isNumber = /^\d+$/.test(text);
      const other = isNumber ? `There is no offer ${text} in the list.` : `${JSON.stringify(text)} is not a command.`;
      (said ?? [other]).forEach(dialog.say);
    }
  }
}

/** What is printed for commands; undefined for a number without an offer. */
const COMMANDS: readonly (readonly [RegExp, (state: PickerState, words: string) => string[] | undefined])[] = [
  [/^d\s*(\d+)$/, (state, number) => offersAt(state, number).map((offer) => detailsOf(state, offer))[0]],
  [/^l\s*(\d+)$/, (state, number) => offersAt(state, number).map((offer) => launchOf(state, offer))[0]],
  [/^=\s*(\d+(?:[\s,]+\d+)+)$/, comparisonOf],
  [/^f(?:$|\s+)(\w*)$/i, facetsOf],
];

function offersAt({ view }: PickerState, numbers: string): ListedOffer[] {
  return numbers.split(/[\s,]+/).flatMap((number) => view.offers[Number(number) - 1] ?? []);
}

function printPage(dialog: Dialog, { view: { offers }, found: { query } }: PickerState, top: number): void {
  const page = offers.slice(top, top + PAGE);
  numbered(page, query, top + 1).forEach(dialog.say);
  // Arrows aren't read aloud.
  const order = sortText(query).replace("↑", "ascending by").replace("↓", "descending by");
  const place = page.length === 0 ? "" : `, ${top + 1} to ${top + page.length} shown, ${order}`;
  dialog.say(`${countOf(offers.length, "offer")}${place}.`);
}

/** Numbered offers, one per line, the first with number `first`. */
export function numbered(offers: readonly Offer[], { sort_by, disk }: ListingQuery, first = 1): string[] {
  return offers.map((offer, index) => {
    const parts = summaryParts(offer, disk, undefined).map(({ text }) => text);
    // The price that the list is sorted by is one of those that are said.
    const isSaid = offer.gpuCount === 1 && totalMicros(offer, disk) === toMicrosUp(offer.priceHourly);
    const perGpu =
      sort_by === "pricePerGpu" && !isSaid ? [`${lowerBound(offer)}${usdText(offer.pricePerGpu)} per GPU`] : [];
    return `${first + index}. ${[...parts, ...perGpu].join(", ")}`;
  });
}

function detailsOf(state: PickerState, offer: ListedOffer): string[] {
  return factsOf(state, offer).map(([name, value]) => `${name}: ${value}`);
}

function launchOf(state: PickerState, offer: ListedOffer): string[] {
  const { launch, missing } = planFor(state, offer);
  return [...launch.flatMap((one) => launchTextOf(one).trimEnd().split("\n")), ...missing.map(({ reason }) => reason)];
}

function comparisonOf(state: PickerState, words: string): string[] | undefined {
  const numbers = words.split(/[\s,]+/);
  const chosen = offersAt(state, words);
  if (chosen.length < 2) {
    return undefined;
  }
  const differing = comparedFacts(state, chosen).filter(({ differs }) => differs);
  return [
    ...chosen.map(
      (offer, index) => `${numbers[index]}: ${gpuText(offer)}, ${printable(offer.provider.name)} ${placeText(offer)}`,
    ),
    ...differing.map((fact) => {
      const values = chosen.map((_, index) => comparedText(fact, chosen, index) + comparedDistance(fact, index));
      return `${nameOf(fact)}: ${values.join("; ")}`;
    }),
  ];
}

/** Number of values of a group that are said unless all are requested. */
const FACETS_SHOWN = 5;

function facetsOf(state: PickerState, name: string): string[] {
  const rows = shownFacets(state).filter((row) => row.kind === "value");
  const groups = [...Map.groupBy(rows, ({ group }) => group)].filter(([group]) =>
    group.toLowerCase().startsWith(name.toLowerCase()),
  );
  return [
    ...groups.map(([group, values]) => {
      const shown = name === "" ? values.slice(0, FACETS_SHOWN) : values;
      const more = values.length - shown.length;
      const texts = shown.map(({ label, count = "" }) => `${label} ${count}`.trimEnd());
      return `${group}: ${[...texts, ...(more > 0 ? [`${more} more`] : [])].join(", ")}.`;
    }),
    "Filter by a value with / and its name.",
  ];
}

export function sentence(text: string): string {
  return asSentence(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}
