import { stripVTControlCharacters } from "node:util";
import { renderToString } from "ink";
import type { ReactElement } from "react";
import type { ListingQuery } from "@gpu-offers/domain";
import { HIDDEN_AT_FIRST } from "@gpu-offers/list";
import { describe, expect, test } from "vitest";
import { choiceOf } from "../src/picker/choice.ts";
import { findOffers } from "../src/picker/found.ts";
import { finishLoad, nothingLoaded } from "../src/picker/loaded-offers.ts";
import { fieldOf } from "../src/picker/text-field.ts";
import { Bottom } from "../src/screen/Bottom.tsx";
import { ColumnChoice } from "../src/screen/ColumnChoice.tsx";
import { ComparePane } from "../src/screen/ComparePane.tsx";
import { EmptyList } from "../src/screen/EmptyList.tsx";
import { Facets } from "../src/screen/Facets.tsx";
import { FilterLine } from "../src/screen/FilterLine.tsx";
import { Header } from "../src/screen/Header.tsx";
import { Step } from "../src/screen/Steps.tsx";
import { TextPane } from "../src/screen/TextPane.tsx";
import { NOW_MS } from "./driven-picker.ts";
import { offerAt, offersOf } from "./offers.ts";

// Each part of the screen by itself, with its own props.

/** The lines as text: another file of the worker may have turned colors on. */
const linesOf = (element: ReactElement, columns = 80): string[] =>
  stripVTControlCharacters(renderToString(element, { columns }))
    .split("\n")
    .map((line) => line.trimEnd());

const offers = offersOf(3);
const loading = nothingLoaded(new Map(), NOW_MS);
const loaded = finishLoad({ ...loading, incoming: offers }, new Map(), { nowMs: NOW_MS });

describe("the header", () => {
  const header = {
    columns: 80,
    loaded,
    total: 3,
    offers,
    funds: undefined,
    isBudget: false,
    isKeyInvalid: false,
    live: undefined,
    nowMs: NOW_MS,
  };

  test("counts the matches, and says whose the funds are", () => {
    const funds = { balance: "212.4000", currency: "USD" } as const;
    expect(linesOf(<Header {...header} offers={offers.slice(1)} />)).toEqual([" gpu-offers   2 of 3 offers"]);
    expect(linesOf(<Header {...header} funds={funds} />)[0]).toMatch(/ 3 offers {2,}balance \$212\.40$/);
    expect(linesOf(<Header {...header} funds={funds} isBudget />)[0]).toMatch(/budget \$212\.40$/);
    expect(linesOf(<Header {...header} isKeyInvalid />)[0]).toMatch(/invalid API key \(a\)$/);
  });

  test("drops its name before the connection's trouble", () => {
    const problem = { kind: "unreachable", message: "no" } as const;
    const failed = { ...loaded, load: { kind: "failed", problem, retryAtMs: NOW_MS + 4_000 } as const };
    expect(linesOf(<Header {...header} loaded={failed} />)[0]).toMatch(/^ gpu-offers .*STALE retry in 4s$/);
    expect(linesOf(<Header {...header} loaded={failed} columns={40} />, 40)[0]).toMatch(
      /^ 3 offers .*STALE retry in 4s$/,
    );
  });
});

test("the filter line invites, shows what is typed, and the other filters", () => {
  const query = { available: true, q: "h100" };
  const line = (isTyped: boolean, text: string, given: ListingQuery) =>
    linesOf(<FilterLine columns={80} field={fieldOf(text)} isTyped={isTyped} query={given} />)[0];
  expect(line(false, "", {})).toContain("/ to filter, such as 8xh100 eu");
  expect(line(true, "", {})).toBe(" /");
  expect(line(false, "h100", query)).toMatch(/^ \/ h100 .*available {2}\(x clear all\)$/);
  expect(line(true, "h100", query)).not.toContain("clear all");
});

test("the bottom has the offer with its cost, and keys that act, or a notice", () => {
  const props = {
    columns: 80,
    height: 2,
    notice: undefined,
    hints: "Enter choose  q quit",
    offer: offerAt(0),
    diskGb: undefined,
    funds: undefined,
    widths: undefined,
  } as const;
  const [rule, machine, cost, keys] = linesOf(<Bottom {...props} />);
  expect(rule).toBe("─".repeat(80));
  expect(machine).toContain(offerAt(0).provider.name);
  expect(cost).toMatch(/\$[\d.]+\/h .* in 30 days/);
  expect(keys).toMatch(/^ Enter choose  q quit$/);
  expect(linesOf(<Bottom {...props} height={1} notice="q quits" />).slice(2)).toEqual([" q quits"]);
});

test("the column chooser marks what is shown, hidden, and always there", () => {
  const hidden = new Set(HIDDEN_AT_FIRST);
  const lines = linesOf(<ColumnChoice cursor={1} hidden={hidden} diskGb={500} width={80} height={20} />);
  expect(lines).toContainEqual(expect.stringMatching(/^ {3}always GPU$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ ❯ \[x\] {4}PROVIDER$/));
  expect(lines.filter((line) => line.includes("[ ]"))).toHaveLength(HIDDEN_AT_FIRST.length);
});

describe("an empty list", () => {
  const empty = {
    found: findOffers(loaded.catalog, { q: "b200", available: true }, {}),
    loaded,
    readings: [],
    near: [],
    pending: [],
    place: "http://service",
    isTyping: false,
    nowMs: NOW_MS,
    width: 80,
    height: 16,
  };

  test("numbers the filters to drop, and lists similar searches", () => {
    const lines = linesOf(<EmptyList {...empty} near={[{ text: "h200", count: 2 }]} />);
    expect(lines[1]).toMatch(/^ 0 offers\. Press a number to drop a filter:$/);
    expect(lines[2]).toMatch(/^ {3}1 without text "b200": \d+$/);
    expect(lines.join("\n")).toContain("Similar searches; Enter takes the first:\n   h200: 2");
    expect(linesOf(<EmptyList {...empty} readings={["Read as b200: B200"]} />)).toContain(" Read as b200: B200");
    expect(linesOf(<EmptyList {...empty} isTyping />)[1]).toContain("After Enter, a number drops a filter");
  });

  test("never says that there are no offers while they are loading", () => {
    const slow = { ...empty, loaded: loading, nowMs: NOW_MS + 1_000 };
    expect(linesOf(<EmptyList {...slow} />)[1]).toBe(" loading offers from http://service ...");
    expect(linesOf(<EmptyList {...empty} pending={["vast"]} />)[1]).toBe(" no matches yet, fetching vast ...");
  });
});

test("facets have groups, marks and counts; the one under the cursor is pointed at only if they have the keys", () => {
  const facets = ["H100 SXM", "A100"].map((label, index) => ({
    kind: "value" as const,
    name: "gpu" as const,
    control: { kind: "switch", name: "gpu", label: "GPU", place: "first", isSet: false } as const,
    group: "GPU",
    value: label,
    label,
    count: 7 - index,
    isSet: index === 0,
  }));
  const props = { facets, cursor: 1, search: "", draft: undefined, isBeside: false, width: 60, height: 8 };
  const lines = linesOf(<Facets {...props} isFocused />);
  expect(lines.slice(0, 5)).toEqual([
    " Facets type to find a value",
    "",
    "   GPU",
    expect.stringMatching(/^ {3}\[x\] H100 SXM +7$/),
    expect.stringMatching(/^ ❯ \[ \] A100 +6$/),
  ]);
  expect(linesOf(<Facets {...props} isFocused={false} />).join("")).not.toContain("❯");
  expect(linesOf(<Facets {...props} isFocused search="a1" />)[0]).toBe(" find a1");
});

test("the names of compared offers stay while the facts scroll", () => {
  const rows = Array.from({ length: 9 }, (_, index) => ({ kind: "differs" as const, text: ` fact ${index}` }));
  const comparison = { current: undefined, heads: [" GPU", " provider"], rows };
  const lines = linesOf(<ComparePane comparison={comparison} top={3} width={80} height={6} />);
  expect(lines.slice(0, 3)).toEqual([" GPU", " provider", " fact 3"]);
  expect(lines.at(-1)).toMatch(/^ fact 6 .*↓ 2 more$/);
});

test("a step shows the way so far, and its problem", () => {
  const choice = { ...choiceOf(offerAt(0), { diskGb: 500 }), stage: "disk" as const, problem: "Enter digits only." };
  const known = { images: [], problem: undefined, asOfMs: NOW_MS, loadingSinceMs: undefined };
  const props = { choice, known, diskGb: 500, funds: undefined, nowMs: NOW_MS, columns: 80, height: 12 };
  const lines = linesOf(<Step {...props} />);
  expect(lines[0]).toBe(" Offer ✓ › Image default ✓ › Disk › Confirm");
  expect(lines.join("\n")).toMatch(/Disk GB \[ 500[^]*Enter digits only\./);
});

test("help is in as many columns as fit", () => {
  const lines = [1, 2, 3, 4].map((index) => ({ kind: "pair" as const, name: `k${index}`, value: `does ${index}` }));
  const layout = { columns: 2, length: 2, height: 4, top: 0 };
  expect(linesOf(<TextPane lines={lines} layout={layout} isHelp width={80} />).slice(0, 2)).toEqual([
    expect.stringMatching(/^ {2}k1 +does 1 +k3 +does 3$/),
    expect.stringMatching(/^ {2}k2 +does 2 +k4 +does 4$/),
  ]);
});
