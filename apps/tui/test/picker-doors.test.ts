import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LISTING_FILTER_NAMES, LISTING_PARAMETERS, type ListingParameterName } from "@gpu-offers/domain";
import { listingQuerySchema } from "@gpu-offers/domain/query";
import { BESIDE, exampleOf } from "@gpu-offers/domain/listing-examples.fixture";
import { chipOf } from "@gpu-offers/list";
import { DOORS_CATALOG, nativeDocument, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { describe, expect, test } from "vitest";
import { readCatalogFile } from "../src/catalog/catalog-file.ts";
import { totalOf } from "../src/picker/state.ts";
import { shownFacets, type FacetRow } from "../src/picker/facet-rows.ts";
import { DrivenPicker } from "./driven-picker.ts";
import { HAS_TMUX, IN_TMUX, openShell } from "./picker-shell.ts";
import { VirtualScreen } from "./virtual-screen.tsx";

// Every filter that the picker can be given is seen there as a chip and among the facets, counted, and cleared: alone and
// with all others.

const { offers, providers } = await readCatalogFile({ path: DOORS_CATALOG });

/** A picker that was started with some filters. */
const pickerOf = (texts: Readonly<Record<string, string>>): DrivenPicker =>
  new DrivenPicker(offers, {
    columns: 180,
    rows: 60,
    query: listingQuerySchema.omit({ page: true, size: true }).parse(texts),
    knownImages: new Map(providers.map(({ name, images }) => [name, images])),
  });

const startedWith = (name: ListingParameterName): DrivenPicker =>
  pickerOf({ ...BESIDE[name], [name]: exampleOf(name) });

/** The number of offers that match, and of those that they are part of. */
const countsIn = ({ state }: DrivenPicker): number[] => [state.found.positions.length, totalOf(state)];

/** What a picker without a filter shows. */
const ALL = countsIn(pickerOf({}));

const isSet = (row: FacetRow): boolean => ("text" in row ? row.text !== "" : row.isSet);

test("words are cleared with Esc", () => {
  expect(countsIn(startedWith("q").press("Esc"))).toEqual(ALL);
});

describe.each(LISTING_FILTER_NAMES)("a picker started with %s", (name) => {
  test("shows it as a chip, with the number of offers that it leaves", async () => {
    const driven = startedWith(name);
    const { state } = driven;
    const [count = 0, total = 0] = countsIn(driven);
    expect([count > 0, count < total]).toEqual([true, true]);
    const screen = new VirtualScreen(180, 60);
    await screen.show(state);
    const [header, filters] = screen.rows();
    screen.close();
    expect(header).toContain(` ${count} of ${total} offers `);
    expect(filters).toContain(name === "q" ? `/ ${exampleOf(name)}` : chipOf(name, state.query));
  });

  test.skipIf(name === "q")("has it among the facets, where it is cleared alone", () => {
    const driven = startedWith(name).press("f");
    const setRow = (): number => shownFacets(driven.state).findIndex((row) => row.name === name && isSet(row));
    expect(setRow()).toBeGreaterThanOrEqual(0);
    while (driven.state.query[name] !== undefined) {
      const place = setRow();
      const { facetCursor } = driven.state;
      const row = shownFacets(driven.state)[place];
      driven.press(
        ...Array.from({ length: Math.abs(place - facetCursor) }, () => (place > facetCursor ? "Down" : "Up")),
        row?.kind === "value" || row?.kind === "switch" ? "Enter" : "Ctrl-U",
      );
    }
    // Of a choice, the default is set then
    const set = shownFacets(driven.state).filter((other) => other.name === name && isSet(other));
    expect(set).toHaveLength(LISTING_PARAMETERS[name].kind === "choice" ? 1 : 0);
    expect(countsIn(driven)).toEqual(countsIn(pickerOf(BESIDE[name] ?? {})));
  });

  test("loses it with all others when x is pressed", () => {
    const driven = startedWith(name).press("x");
    expect(LISTING_FILTER_NAMES.filter((other) => driven.state.query[other] !== undefined)).toEqual([]);
    expect(countsIn(driven)).toEqual(ALL);
  });
});

test.skipIf(!HAS_TMUX)(`filters of the command line are chips and facets, and x clears them ${IN_TMUX}`, async () => {
  const { shell, folder, start } = openShell({});
  const spot = { priceHourly: 1, kind: "price" } as const;
  const rows = [
    nativeRow({ instanceType: "a", listing: { instanceType: "a", seller: "cloud", spot } }),
    nativeRow({ instanceType: "b", gpu: "l40s", listing: { instanceType: "b", seller: "host" } }),
  ];
  writeFileSync(join(folder, "catalog.json"), nativeDocument(rows));
  start("--catalog catalog.json --seller cloud --spot true --fits 7b --min-bandwidth 2000");
  const started = await shell.sees(/1 of 2 offers/);
  expect(started).toMatch(/memory ≥2000 GB\/s {2}seller cloud {2}spot {2}fits 7b/);
  expect(started).toContain(" 1.000 ");
  shell.type("f");
  await shell.sees(/Facets/);
  shell.press("Escape");
  await shell.sees(/ 1 of 1/);
  shell.type("x");
  expect(await shell.sees(/ gpu-offers {3}2 offers/)).not.toContain("seller cloud");
  shell.press("C-c");
  await shell.sees(/ended 130/);
});
