import { asSentence, toMicrosUp, type ListingQuery, type Offer, isSoldOut } from "@gpu-offers/domain";
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
import { launchTextOf } from "../output/launch-output.js";
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
      const isNumber = /^\d+$/.test(text);
      const said =
        detailsOf(state, text) ?? launchOf(state, text) ?? comparisonOf(state, text) ?? facetsOf(state, text);
      (
        said ?? [isNumber ? `There is no offer ${text} in the list.` : `${JSON.stringify(text)} is not a command.`]
      ).forEach(dialog.say);
    }
  }
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

/** Details for `d 3`; undefined for other input. */
function detailsOf(state: PickerState, text: string): string[] | undefined {
  const offer = state.view.offers[Number(/^d\s*(\d+)$/.exec(text)?.[1]) - 1];
  return offer === undefined ? undefined : factsOf(state, offer).map(([name, value]) => `${name}: ${value}`);
}

/** The launch texts for `l 3`; undefined for other input. */
function launchOf(state: PickerState, text: string): string[] | undefined {
  const offer = state.view.offers[Number(/^l\s*(\d+)$/.exec(text)?.[1]) - 1];
  const plan = offer === undefined ? undefined : planFor(state, offer);
  return (
    plan && [
      ...plan.launch.flatMap((one) => launchTextOf(one).trimEnd().split("\n")),
      ...plan.missing.map(({ reason }) => reason),
    ]
  );
}

/** The comparison for `= 1 3`; undefined for other input. */
function comparisonOf(state: PickerState, text: string): string[] | undefined {
  const numbers = /^=\s*(\d+(?:[\s,]+\d+)+)$/.exec(text)?.[1]?.split(/[\s,]+/) ?? [];
  const chosen = numbers.flatMap((number) => state.view.offers[Number(number) - 1] ?? []);
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

/** The facets for `f`, and all values of a group for `f provider`; undefined for other input. */
function facetsOf(state: PickerState, text: string): string[] | undefined {
  const wanted = /^f(?:\s+(\w+))?$/i.exec(text);
  if (wanted === null) {
    return undefined;
  }
  const [, name = ""] = wanted;
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

/** A text as a sentence. */
export function sentence(text: string): string {
  return asSentence(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}
