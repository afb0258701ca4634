import { describe, expect, test } from "vitest";
import type { PickerEvent } from "../src/picker/event.ts";
import { reduce, start } from "../src/picker/reduce.ts";
import { initialState } from "../src/picker/state.ts";
import { offersOf } from "./offers.ts";
import { NOW_MS, DrivenPicker } from "./driven-picker.ts";
import { shown, VirtualScreen } from "./virtual-screen.tsx";

// What the screen says of trouble, and of what cannot be had.

const catalog = offersOf(100);

describe("rejected rows", () => {
  test("name the command that lists them in full, however long the path is", async () => {
    const sourceOptions = `--catalog /catalogs/${"deep/".repeat(20)}vms.csv`;
    const rejected = [{ where: "line 3", code: "spot_only", reason: "Only a spot price." }];
    const { state } = new DrivenPicker(catalog).send({ kind: "loaded", nowMs: NOW_MS, rejected }).press("a");
    const screen = new VirtualScreen(80, 24);
    await screen.show({ ...state, sourceOptions });
    expect(screen.rows().slice(2, 6).join("").replaceAll(" ", "")).toContain(`${sourceOptions.replace(" ", "")}.`);
    screen.close();
  });
});

describe("a header that doesn't fit", () => {
  const threeHoursAgo = new Date(NOW_MS - 3 * 3_600_000).toISOString();
  const pricesAsOf = new Map(["alpha", "beta", "gamma"].map((provider) => [provider, threeHoursAgo]));
  const age = { pricesAsOf, staleProviders: [] };
  const rejected = [{ where: "line 3", code: "spot_only", reason: "Only a spot price." }];

  test.each([
    [84, / gpu-offers {3}100 offers +1 row rejected \(a\) {3}balance \$212\.40 {3}prices 3 h old$/],
    [74, /^ 100 offers +1 row rejected \(a\) {3}balance \$212\.40 {3}prices 3 h old$/],
    [60, /^ 100 offers +1 row rejected \(a\) {3}balance \$212\.40$/],
    [40, /^ 100 offers +1 row rejected \(a\)$/],
  ])("drops its name, then the age, and keeps the count at %d columns", async (columns, header) => {
    const driven = new DrivenPicker(catalog, { columns });
    driven.send({ kind: "pages", offers: catalog, total: catalog.length });
    driven.send({ kind: "loaded", nowMs: NOW_MS, rejected }).send({ kind: "age", age });
    driven.send({ kind: "credit", balance: { balance: "212.4000", currency: "USD" } });
    const screen = new VirtualScreen(columns, 24);
    await screen.show(driven.state);
    expect(screen.rows()[0]).toMatch(header);
    screen.close();
  });
});

describe("a disk that cannot be had", () => {
  test("has no price", async () => {
    const screen = await shown(80, 24, ["Enter", "Enter", "9", "9", "9", "9"]);
    expect(screen.rows()[4]).toContain("Disk GB [ 9999");
    expect(screen.rows().join("\n")).not.toContain("9999 GB");
    screen.close();
  });
});

describe("an API key that is invalid", () => {
  test("is shown at the top of the screen", async () => {
    const problem = { kind: "unauthorized", message: "the API key is rejected; set GPU_OFFERS_API_KEY." } as const;
    const screen = new VirtualScreen(80, 24);
    await screen.show(new DrivenPicker(catalog).send({ kind: "credit", problem }).state);
    expect(screen.rows()[0]).toMatch(/balance \$212\.40|invalid API key \(a\)$/);
    screen.close();
    const narrow = new VirtualScreen(40, 10);
    await narrow.show(new DrivenPicker(catalog, { columns: 40, rows: 10 }).send({ kind: "credit", problem }).state);
    expect(narrow.rows()[0]).toMatch(/^ gpu-offers {3}100 offers/);
    narrow.close();
  });
});

describe("states", () => {
  const failed: PickerEvent = {
    kind: "loadFailed",
    problem: { kind: "unreachable", message: "cannot reach http://x: rejected. Start it." },
    nowMs: NOW_MS,
    retryAtMs: NOW_MS + 4_000,
  };

  const unread = initialState({
    columns: 80,
    rows: 24,
    nowMs: NOW_MS,
    source: { place: "test", options: "", hasAccount: false },
    query: {},
  });

  test("that are old keep their rows, say STALE and count down", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show(new DrivenPicker(catalog).send(failed).state);
    expect(screen.rows()[0]).toMatch(/STALE retry in 4s$/);
    expect(screen.rows()[3]).toContain("H100 PCIe");
    screen.close();
  });

  test("without any offer name the address and what to do", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show(new DrivenPicker([]).send(failed).state);
    expect(screen.rows().join("\n")).toContain("cannot reach http://x: rejected. Start it.");
    screen.close();
  });

  test("of a source that was never read don't look like an empty list", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show(reduce(start(unread), failed));
    expect(screen.rows()[0]).toMatch(/^ gpu-offers +OFFLINE retry in 4s$/);
    const problem = { kind: "file", message: "cannot read the catalog." } as const;
    const unreadable: PickerEvent = { kind: "loadFailed", problem, nowMs: NOW_MS };
    await screen.show(reduce(start(unread), unreadable));
    expect(screen.rows()[0]).toMatch(/^ gpu-offers +UNREADABLE R retries$/);
    screen.close();
  });

  test("of a list that is still loading don't say that there is no offer", async () => {
    const screen = new VirtualScreen(140, 40);
    const wide = { ...unread, columns: 140, rows: 40, nowMs: NOW_MS + 900 };
    await screen.show(start(wide));
    expect(screen.rows().join("\n")).not.toContain("No offer");
    const { state } = new DrivenPicker([], { columns: 140, rows: 40 });
    await screen.show(state);
    expect(screen.rows().join("\n")).toContain("No offer under the cursor.");
    screen.close();
  });

  test("that failed are over when the first page comes", async () => {
    const screen = new VirtualScreen(80, 24);
    const page: PickerEvent = { kind: "pages", offers: catalog, total: catalog.length + 1 };
    await screen.show(reduce(reduce(start(unread), failed), page));
    expect(screen.rows()[3]).toContain("H100 PCIe");
    expect(screen.rows().join("\n")).not.toMatch(/STALE|cannot reach/);
    screen.close();
  });

  test("that are empty show how many offers each filter excludes", async () => {
    const screen = await shown(80, 24, ["/", "z", "z", "Enter"]);
    expect(screen.rows().join("\n")).toContain('1 without text "zz": 100');
    screen.close();
  });
});
