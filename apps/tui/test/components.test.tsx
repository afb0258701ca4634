import { stripVTControlCharacters } from "node:util";
import { renderToString } from "ink";
import type { ReactElement } from "react";
import { HIDDEN_AT_FIRST } from "@gpu-offers/list";
import { describe, expect, test } from "vitest";
import { currentOffer } from "../src/picker/offer-view.ts";
import type { PickerState } from "../src/picker/state.ts";
import { Screen, textPaneRows } from "../src/screen/App.tsx";
import { Bottom } from "../src/screen/Bottom.tsx";
import { Facets } from "../src/screen/Facets.tsx";
import { FilterLine, Header } from "../src/screen/Header.tsx";
import { EmptyList } from "../src/screen/OfferList.tsx";
import { stepRows } from "../src/screen/steps.ts";
import { DrivenPicker, NOW_MS, type Play } from "./driven-picker.ts";
import { offersOf } from "./offers.ts";
import { rowText } from "./virtual-screen.tsx";

// Each part of the screen by itself.

/** The lines as text: another file of the worker may have turned colors on. */
const linesOf = (element: ReactElement, columns = 80): string[] =>
  stripVTControlCharacters(renderToString(element, { columns }))
    .split("\n")
    .map((line) => line.trimEnd());

const offers = offersOf(3);
const stateOf = (play: Play = {}, ...keys: string[]): PickerState =>
  new DrivenPicker(offers, play).press(...keys).state;
const state = stateOf();

describe("the header", () => {
  const lineOf = (changes: Partial<PickerState>, columns = 80) =>
    linesOf(<Header state={{ ...state, ...changes, columns }} />, columns)[0];

  test("counts the matches, and says whose the funds are", () => {
    expect(lineOf({ credit: {}, view: { ...state.view, offers: offers.slice(1) } })).toBe(
      " gpu-offers   2 of 3 offers",
    );
    expect(lineOf({})).toMatch(/ 3 offers {2,}balance \$212\.40$/);
    expect(lineOf(stateOf({ query: { budget: 212.4 } }))).toMatch(/budget \$212\.40$/);
    const problem = { kind: "unauthorized", message: "no" } as const;
    expect(lineOf({ credit: { problem } })).toMatch(/invalid API key \(a\)$/);
  });

  test("drops its name before the connection's trouble", () => {
    const problem = { kind: "unreachable", message: "no" } as const;
    const load = { kind: "failed", problem, retryAtMs: NOW_MS + 4_000 } as const;
    const loaded = { ...state.loaded, load };
    expect(lineOf({ loaded })).toMatch(/^ gpu-offers .*STALE retry in 4s$/);
    expect(lineOf({ loaded }, 40)).toMatch(/^ 3 offers .*STALE retry in 4s$/);
  });
});

test("the filter line invites, shows what is typed, and the other filters", () => {
  const query = { available: true, q: "h100" };
  const lineOf = (play: Play, ...keys: string[]) => linesOf(<FilterLine state={stateOf(play, ...keys)} />)[0];
  expect(lineOf({})).toContain("/ to filter, such as 8xh100 eu");
  expect(lineOf({}, "/")).toBe(" /");
  expect(lineOf({ query })).toMatch(/^ \/ h100 .*available {2}\(x clear all\)$/);
  expect(lineOf({ query }, "/")).not.toContain("clear all");
});

test("the bottom has the offer with its cost, and keys that act, or a notice", () => {
  const [rule, machine, cost, keys] = linesOf(<Bottom state={state} />);
  expect(rule).toBe("─".repeat(80));
  expect(machine).toContain(currentOffer(state.view)?.provider.name);
  expect(cost).toMatch(/\$[\d.]+\/h .* in 30 days/);
  expect(keys).toMatch(/^ Enter choose .* q quit$/);
  expect(linesOf(<Bottom state={stateOf({ rows: 16 }, "Esc")} />).slice(2)).toEqual([" q quits"]);
});

test("the column chooser marks what is shown, hidden, and always there", () => {
  const lines = linesOf(<Screen state={stateOf({ rows: 40 }, "C", "Down")} />);
  expect(lines).toContainEqual(expect.stringMatching(/^ {3}always GPU$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ ❯ \[x\] {4}PROVIDER$/));
  expect(lines.filter((line) => line.includes("[ ]"))).toHaveLength(HIDDEN_AT_FIRST.length);
});

describe("an empty list", () => {
  const empty = stateOf({ query: { q: "b200", available: true } });

  test("numbers the filters to drop, and lists similar searches", () => {
    const near = { found: empty.found, texts: [{ text: "h200", count: 2 }] };
    const lines = linesOf(<EmptyList state={{ ...empty, near }} />);
    expect(lines[1]).toMatch(/^ 0 offers\. Press a number to drop a filter:$/);
    expect(lines[2]).toMatch(/^ {3}1 without text "b200": \d+$/);
    expect(lines.join("\n")).toContain("Similar searches; Enter takes the first:\n   h200: 2");
    const found = { ...empty.found, understood: [{ text: "b200", as: "B200" }] };
    expect(linesOf(<EmptyList state={{ ...empty, found }} />)).toContain(" Read as b200: B200");
    expect(linesOf(<EmptyList state={{ ...empty, pane: "text" }} />)[1]).toContain(
      "After Enter, a number drops a filter",
    );
  });

  test("never says that there are no offers while they are loading", () => {
    const { state: loading } = new DrivenPicker([], {});
    const load = { kind: "loading", sinceMs: NOW_MS } as const;
    const slow = { ...loading, loaded: { ...loading.loaded, asOfMs: undefined, load }, nowMs: NOW_MS + 1_000 };
    expect(linesOf(<EmptyList state={slow} />)[1]).toBe(" loading offers from test ...");
    const progress = new Map([["vast", { kind: "fetching", source: "vast" } as const]]);
    expect(linesOf(<EmptyList state={{ ...empty, live: { progress } }} />)[1]).toBe(
      " no matches yet, fetching vast ...",
    );
  });
});

test("facets have groups, marks and counts; the one under the cursor is pointed at only if they have the keys", () => {
  const opened = stateOf({ rows: 60 }, "f", "b", "e", "t", "a", "Enter");
  const lines = linesOf(<Facets state={opened} width={80} />);
  expect(lines.slice(0, 4)).toEqual([" find beta", "", "   Provider", expect.stringMatching(/^ ❯ \[x\] beta +1$/)]);
  expect(linesOf(<Facets state={{ ...opened, pane: "none" }} width={80} />).join("")).not.toContain("❯");
  expect(linesOf(<Facets state={{ ...opened, facetSearch: "" }} width={80} />)[0]).toBe(" Facets type to find a value");
});

test("the names of compared offers stay while the facts scroll", () => {
  const [top, scrolled] = [0, 3].map((downs) => {
    const compared = stateOf({ rows: 12 }, " ", " ", "=", ...Array.from({ length: downs }, () => "Down"));
    return textPaneRows(compared).map(rowText);
  });
  expect(scrolled?.slice(0, 2)).toEqual(top?.slice(0, 2));
  expect(scrolled?.[2]).toBe(top?.[5]);
  expect(top?.at(-1)).toMatch(/↓ \d+ more $/);
});

test("a step shows the way so far, and its problem", () => {
  const lines = stepRows(stateOf({ query: { disk: 500 }, images: [] }, "Enter", "x")).map(rowText);
  expect(lines[0]).toBe(" Offer ✓ › Image default ✓ › Disk › Confirm");
  expect(lines.join("\n")).toMatch(/Disk GB \[ 500[^]*Enter digits only\./);
});

test("help is in as many columns as fit", () => {
  const lines = textPaneRows(stateOf({ rows: 12 }, "C", "?")).map(rowText);
  expect(lines[0]).toMatch(/^ columns {32,}\S/);
  expect(lines[1]).toMatch(/^ {2}Enter Space +toggle +\S+/);
});
