import type { Offer } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { comparisonOf } from "../src/picker/compare-pane.ts";
import { currentOffer } from "../src/picker/offer-view.ts";
import { textWidth } from "../src/text/width.ts";
import { offerAt, offersOf } from "./offers.ts";
import { DrivenPicker } from "./driven-picker.ts";
import { rowText, VirtualScreen } from "./virtual-screen.tsx";

/** Includes the same machine at the same price in three regions. */
const alike = [0, 1, 2].map((index) =>
  offerAt(index, {
    provider: { name: "aws", slug: "aws" },
    gpuCount: 8,
    priceHourly: 105.2,
    specs: { vcpu: 192, ram: 2000, disk: 0 },
  }),
);
const catalog = [...alike, offerAt(3), offerAt(4)];

test("a long name on the next screen takes no room from the columns on the screen", async () => {
  const gpu = { ...offerAt(0).gpu, name: "RTX PRO 6000 Blackwell Max-Q Workstation" };
  const screen = new VirtualScreen(80, 24);
  const heading = async (offers: Offer[]) => {
    await screen.show(new DrivenPicker(offers).state);
    return screen.rows()[2];
  };
  const near = offersOf(17);
  expect(await heading([...near, offerAt(17, { gpu, priceHourly: 999 })])).toBe(await heading(near));
  screen.close();
});

describe("a group", () => {
  const driven = () => new DrivenPicker(catalog, { query: { sort_by: "priceHourly", sort_order: "desc" } });

  test("is toggled by Enter, and closed by Left from any of its offers", () => {
    const picker = driven();
    expect(picker.state.view.rows).toHaveLength(3);
    expect(picker.press("Enter").state.view.rows).toHaveLength(6);
    expect(picker.state.choice).toBeUndefined();
    expect(picker.press("Enter").state.view.rows).toHaveLength(3);
    expect(picker.press("Right", "j", "j", "Left").state.view.rows).toHaveLength(3);
    expect(picker.state.view.cursor).toBe(0);
  });

  test("is chosen through one of its places", () => {
    const picker = driven().press("Enter", "j", "j");
    const id = currentOffer(picker.state.view)?.id;
    expect(picker.press("Enter").state.choice?.offer.id).toBe(id);
  });
});

describe("marks", () => {
  test("survive filtering and sorting, and open the comparison", () => {
    const picker = new DrivenPicker(catalog).press(" ", "G", " ", "s", "S", "/", "z", "z", "z", "Esc");
    expect(picker.state.marks.size).toBe(2);
    expect(picker.press("=").state.pane).toBe("compare");
    expect(picker.press("q").state.pane).toBe("none");
    expect(picker.exits).toEqual([]);
  });

  test.each([
    [40, 2],
    [58, 2],
    [80, 3],
    [140, 5],
  ])("are compared at %d columns, %d side by side", (columns, count) => {
    const { state } = new DrivenPicker(offersOf(5), { columns }).press(" ", " ", " ", " ", " ", "=");
    const [titles = "", places = ""] = comparisonOf(state).heads.map(rowText);
    expect(state.marks.size).toBe(5);
    expect(titles.match(/\d× /g)).toHaveLength(count);
    expect(titles.startsWith(count < 5 ? ` 1–${count} of 5` : "  ")).toBe(true);
    expect(textWidth(places)).toBeLessThanOrEqual(columns);
  });

  test("are all reached with the arrows, chosen with Enter, and dropped with x", () => {
    const picker = new DrivenPicker(offersOf(5)).press(" ", " ", " ", " ", " ", "=");
    const fourth = [...picker.state.marks.values()][3];
    picker.press("Right", "Right", "Right");
    expect(comparisonOf(picker.state).heads.map(rowText)[0]).toMatch(/^ 2–4 of 5 .*❯ [^❯]*$/);
    expect(picker.press("Enter").state).toMatchObject({ pane: "none", choice: { offer: { id: fourth?.id } } });
    picker.press("Esc", "=", "x");
    expect(picker.state).toMatchObject({ pane: "none", marks: new Map() });
  });

  test("keep their names on the screen while the facts scroll", async () => {
    const picker = new DrivenPicker(offersOf(2), { rows: 12 }).press(" ", " ", "=");
    const screen = new VirtualScreen(80, 12);
    await screen.show(picker.state);
    const heads = screen.rows().slice(2, 4);
    const first = screen.rows()[4];
    await screen.show(picker.press("j", "j").state);
    expect(screen.rows().slice(2, 4)).toEqual(heads);
    expect(screen.rows()[4]).not.toBe(first);
    screen.close();
  });

  test("have minimum totals where the disk price is unknown", () => {
    const offers = [offerAt(0), offerAt(1, { costDataComplete: false, priceHourly: 20 })];
    const { state } = new DrivenPicker(offers, { columns: 140 }).press(" ", "G", " ", "=");
    const total = comparisonOf(state)
      .rows.map(rowText)
      .find((text) => text.startsWith(" $/h with disk"));
    expect(total?.match(/≥?\$/g)).toEqual(["$", "$", "≥$"]);
  });

  test("need two offers: a single one is compared with the one at the cursor", () => {
    expect(new DrivenPicker(catalog).press("=").state).toMatchObject({ pane: "none", marks: new Map() });
    expect(new DrivenPicker(catalog).press(" ", "G", "=").state.marks.size).toBe(2);
  });
});

describe("available only", () => {
  const some = [offerAt(0), offerAt(1, { isAvailable: false })];

  test("is toggled by A and saved for the next start", () => {
    const picker = new DrivenPicker(some);
    expect(picker.press("A").state.view.offers).toHaveLength(1);
    expect(picker.saved).toEqual([{ available: true }]);
    expect(picker.press("A").state.view.offers).toHaveLength(2);
    expect(picker.saved.at(-1)).toEqual({ available: false });
  });
});

describe("the filter's history", () => {
  test("restores earlier filters, latest first, then the typed text", () => {
    const picker = new DrivenPicker(catalog).press("/", "a", "Enter", "/", "Ctrl-U", "b", "Enter", "/");
    const recalled = () => picker.press("Ctrl-R").state.field.text;
    expect([recalled(), recalled()]).toEqual(["a", "b"]);
    picker.press("Ctrl-U", "c");
    expect([recalled(), recalled(), recalled()]).toEqual(["b", "a", "c"]);
    expect(picker.saved.at(-1)).toEqual({ filters: ["b", "a"] });
  });
});

describe("a letter without a meaning", () => {
  test("says how to filter", () => {
    expect(new DrivenPicker(catalog).press("z").state.notice).toBe("press / to filter");
  });
});

describe("facets", () => {
  test("find values by typing", () => {
    const picker = new DrivenPicker(catalog).press("f", "a", "w", "s", "Enter");
    expect(picker.state.query.provider).toEqual(["aws"]);
    expect(picker.press("Esc").state).toMatchObject({ facetSearch: "", pane: "facets" });
    expect(picker.press("Esc").state.pane).toBe("none");
  });

  test("take all letters as text, those of other panes too", () => {
    const { state } = new DrivenPicker(catalog).press("f", ...Array.from("finland"));
    expect(state).toMatchObject({ pane: "facets", facetSearch: "finland" });
  });
});

describe("Tab", () => {
  test("cycles through the panes that fit, in both directions", () => {
    const picker = new DrivenPicker(catalog, { columns: 140, rows: 40 });
    const panes = (key: string) => [1, 2, 3].map(() => picker.press(key).state.pane);
    expect(panes("Tab")).toEqual(["details", "facets", "none"]);
    expect(panes("Shift-Tab")).toEqual(["facets", "details", "none"]);
  });
});
