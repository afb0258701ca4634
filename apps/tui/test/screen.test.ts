import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BINDINGS } from "../src/picker/keys.js";
import type { PickerEvent } from "../src/picker/event.js";
import { EMPTY_QUERY } from "../src/picker/query.js";
import { reduce, start } from "../src/picker/reduce.js";
import { initialState } from "../src/picker/state.js";
import { lineWidth } from "../src/screen/line.js";
import { screenLines } from "../src/screen/screen-lines.js";
import { arbitraryCatalog, offerAt } from "./offers.ts";
import { NOW_MS, PlayedPicker } from "./played-picker.ts";
import { VirtualScreen } from "./virtual-screen.ts";

const catalog = Array.from({ length: 100 }, (_, index) => offerAt(index));
const wide = { name: "昇腾 910B 👩‍💻", slug: "ascend-910b", vramGB: 64, architecture: "Da Vinci" };

async function shown(
  columns: number,
  rows: number,
  keys: readonly string[] = [],
  environment = {},
): Promise<VirtualScreen> {
  const screen = new VirtualScreen(columns, rows, environment);
  await screen.show(new PlayedPicker(catalog, { columns, rows }).press(...keys).state);
  return screen;
}

describe.each([
  ["in color", {}],
  ["without color", { NO_COLOR: "1" }],
])("the list %s", (_, environment) => {
  it.each([
    [80, 24],
    [140, 40],
    [60, 20],
    [40, 10],
  ])("fills %d x %d and no more", async (columns, rows) => {
    const screen = await shown(columns, rows, ["j", "j"], environment);
    const lines = screen.rows();
    expect(lines).toHaveLength(rows);
    expect(lines[0]).toMatch(/^ gpu-offers {3}100 offers/);
    expect(lines.filter((line) => line.startsWith("❯"))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/\? help {2}q quit$/);
    expect(lines[2]).toMatch(/\$\/GPU-H↑ +\$\/H/);
    expect(screen.terminal.buffer.active.baseY).toBe(0);
    screen.close();
  });
});

describe("every pane and step", () => {
  const ways: Readonly<Record<string, readonly string[]>> = {
    list: [],
    "empty list": ["/", "z", "z"],
    facets: ["f"],
    columns: ["C"],
    details: ["d"],
    account: ["a"],
    help: ["?"],
    images: ["Enter"],
    disk: ["Enter", "Enter"],
    confirmation: ["Enter", "Enter", "Enter"],
  };
  const sizes = [
    [80, 24],
    [140, 40],
    [50, 20],
    [40, 10],
  ] as const;
  const themes = [
    ["in color", {}],
    ["without color", { NO_COLOR: "1" }],
  ] as const;
  it.each(
    Object.entries(ways).flatMap(([name, keys]) =>
      sizes.flatMap(([width, height]) =>
        themes.map(([how, environment]) => [name, width, height, how, keys, environment] as const),
      ),
    ),
  )("has exactly its screen: %s at %i x %i %s", async (_, columns, rows, _how, keys, environment) => {
    const { state } = new PlayedPicker([...catalog, offerAt(100, { gpu: wide })], { columns, rows }).press(...keys);
    const lines = screenLines(state);
    expect(lines).toHaveLength(rows);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
    const screen = new VirtualScreen(columns, rows, environment);
    await screen.show(state);
    expect(screen.rows().at(-1)).toMatch(
      keys[0] === "?" ? /q quit$/ : keys[0] === "/" ? /Esc back/ : /\? help {2}q quit$/,
    );
    expect(screen.rows().map((row) => row.trimEnd())).toEqual(
      lines.map((pieces) =>
        pieces
          .map(({ text }) => text)
          .join("")
          .trimEnd(),
      ),
    );
    expect(screen.colors().filter((color) => ![3, 6].includes(color) || "NO_COLOR" in environment)).toEqual([]);
    expect(screen.terminal.buffer.active.baseY).toBe(0);
    screen.close();
  });
});

describe("a narrow screen", () => {
  const order = ["f", "5", "0", "0", "Esc", "s", "s", "j"];

  it("shows the price with the disk at 50 columns, with the mark of the order", async () => {
    const screen = await shown(50, 20, order);
    expect(screen.rows()[2]).toMatch(/ \$\/GPU-H +\$\/H +\$\/H\+DISK↑$/);
    screen.close();
  });

  it("says what it is ordered by where that column has no room", async () => {
    const screen = await shown(40, 10, order);
    expect(screen.rows()[2]).toMatch(/ \$\/GPU-H +\$\/H$/);
    expect(screen.rows()[6]).toMatch(/^ 1–3 of 100 ↑ price with/);
    screen.close();
  });

  it("keeps the filters and leaves the hint to clear them out", async () => {
    const screen = await shown(40, 10, ["f", "5", "0", "0", "j", "j", "j", "4", "0", "Esc"]);
    expect(screen.rows()[1]).toMatch(/^ \/ +vram ≥40G {2}disk 500G$/);
    screen.close();
  });

  it("cuts no detail of an offer off, nor does the pane at the side of a wide one", async () => {
    for (const [columns, rows, keys] of [
      [40, 40, ["d"]],
      [140, 40, []],
    ] as const) {
      const screen = await shown(columns, rows, keys);
      const details = screen.rows().map((row) => row.slice(row.indexOf("│") + 17).trim());
      expect(details.join("")).toMatch(/0{8}-0000-4000-8000-\d{12}/);
      expect(details.join("")).not.toContain("…");
      screen.close();
    }
  });
});

describe("the steps in the smallest window", () => {
  const toDisk = ["f", "5", "0", "0", "Esc", "Enter", "Enter"];

  it.each([
    ["the cost of a disk", toDisk, /^ \$1\.50 \+ 500 GB × \$0\.00014 = /],
    ["what is wrong with a disk", [...toDisk, "9", "9", "9", "9", "Enter"], /^ 9999 GB cannot be had: from 50 to/],
    ["the cost that is confirmed", [...toDisk, "Enter"], /^ \$1\.50 \+ 500 GB × \$0\.00014 = /],
  ])("show %s", async (_, keys, wanted) => {
    const screen = await shown(40, 10, keys);
    expect(screen.rows().filter((row) => wanted.test(row))).toHaveLength(1);
    screen.close();
  });

  it("show all three offers in the place of one that is gone", async () => {
    const played = new PlayedPicker(catalog, { columns: 40, rows: 10, checked: () => undefined });
    const screen = new VirtualScreen(40, 10);
    await screen.show(played.press("Enter", "Enter", "Enter", "Enter").state);
    expect(screen.rows().filter((row) => /^ {3}[123] \d×H100/.test(row))).toHaveLength(3);
    screen.close();
  });
});

describe("refused rows", () => {
  it("name the command that lists them in full, however long the path is", async () => {
    const place = `/catalogs/${"deep/".repeat(20)}vms.csv`;
    const refused = [{ where: "line 3", code: "spot_only", reason: "Only a spot price." }];
    const { state } = new PlayedPicker(catalog).send({ kind: "loaded", nowMs: NOW_MS, refused }).press("a");
    const screen = new VirtualScreen(80, 24);
    await screen.show({ ...state, place });
    expect(screen.rows().slice(2, 6).join("").replaceAll(" ", "")).toContain(`--catalog${place}sayswhy.`);
    screen.close();
  });
});

describe("a disk that cannot be had", () => {
  it("has no price", async () => {
    const screen = await shown(80, 24, ["Enter", "Enter", "9", "9", "9", "9"]);
    expect(screen.rows()[4]).toContain("Disk GB [ 9999");
    expect(screen.rows().join("\n")).not.toContain("9999 GB");
    screen.close();
  });
});

describe("a key that is refused", () => {
  it("is told at the top of the screen", async () => {
    const fault = { kind: "unauthorized", message: "the API key is refused; set GPU_OFFERS_API_KEY." } as const;
    const screen = new VirtualScreen(80, 24);
    await screen.show(new PlayedPicker(catalog).send({ kind: "credit", fault }).state);
    expect(screen.rows()[0]).toMatch(/key refused \(a\) · updated 0s ago$/);
    screen.close();
    const narrow = new VirtualScreen(40, 10);
    await narrow.show(new PlayedPicker(catalog, { columns: 40, rows: 10 }).send({ kind: "credit", fault }).state);
    expect(narrow.rows()[0]).toMatch(/^ gpu-offers {3}100 offers/);
    narrow.close();
  });
});

describe("colors", () => {
  it("are of the sixteen, never red nor green, and none at all with NO_COLOR", async () => {
    const keys = ["/", "h", "1", "0", "0", "Enter"];
    const colored = await shown(80, 24, keys);
    const plain = await shown(80, 24, keys, { NO_COLOR: "1" });
    expect(colored.colors()).toEqual([6]);
    expect(plain.colors()).toEqual([]);
    expect(plain.rows()).toEqual(colored.rows());
    colored.close();
    plain.close();
  });
});

describe("a wide screen", () => {
  it("has a pane with details that d puts away", async () => {
    const screen = await shown(140, 40);
    expect(screen.rows().some((line) => / │ architecture +Hopper$/.test(line))).toBe(true);
    await screen.show(new PlayedPicker(catalog, { columns: 140, rows: 40 }).press("d").state);
    expect(screen.rows().join("\n")).not.toContain("architecture");
    screen.close();
  });
});

describe("a screen that is too small", () => {
  it("says so in one line", async () => {
    const screen = await shown(39, 12);
    expect(screen.rows().filter((line) => line !== "")).toEqual(["gpu-offers needs 40x10, this is 39x12"]);
    screen.close();
  });

  it("keeps the size that it needs where the sentence has no room", async () => {
    const screen = await shown(20, 5);
    expect(screen.rows()[0]).toBe("needs 40x10");
    screen.close();
  });

  it("survives three columns", async () => {
    const screen = await shown(3, 3);
    expect(screen.rows()[0]).toBe("ne…");
    screen.close();
  });
});

describe("states", () => {
  const failed: PickerEvent = {
    kind: "loadFailed",
    fault: { kind: "unreachable", message: "cannot reach http://x: refused. Start it." },
    nowMs: NOW_MS,
    retryAtMs: NOW_MS + 4_000,
  };

  it("that are old keep their rows, say STALE and count down", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show(new PlayedPicker(catalog).send(failed).state);
    expect(screen.rows()[0]).toMatch(/STALE retry in 4s$/);
    expect(screen.rows()[3]).toContain("H100 PCIe");
    screen.close();
  });

  it("without any offer name the address and what to do", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show(new PlayedPicker([]).send(failed).state);
    expect(screen.rows().join("\n")).toContain("cannot reach http://x: refused. Start it.");
    screen.close();
  });

  it("that failed are over when the first page comes", async () => {
    const screen = new VirtualScreen(80, 24);
    const before = initialState({
      columns: 80,
      rows: 24,
      nowMs: NOW_MS,
      place: "test",
      query: EMPTY_QUERY,
      hasAccount: false,
    });
    const page: PickerEvent = { kind: "pages", offers: catalog, total: catalog.length + 1 };
    await screen.show(reduce(reduce(start(before).state, failed).state, page).state);
    expect(screen.rows()[3]).toContain("H100 PCIe");
    expect(screen.rows().join("\n")).not.toMatch(/STALE|cannot reach/);
    screen.close();
  });

  it("that are empty say what each filter keeps out", async () => {
    const screen = await shown(80, 24, ["/", "z", "z", "Enter"]);
    expect(screen.rows().join("\n")).toContain('1 without text "zz": 100');
    screen.close();
  });
});

describe("what is written", () => {
  it("makes the same screen as drawing it anew, whatever is pressed", async () => {
    const keys = [...new Set(BINDINGS.flatMap((binding) => binding.keys))].filter(
      (key) => !["q", "Ctrl-C"].includes(key),
    );
    await fc.assert(
      fc.asyncProperty(
        arbitraryCatalog(30),
        fc.array(fc.constantFrom(...keys, "h", "世"), { maxLength: 15 }),
        async (offers, pressed) => {
          const all = [...offers, offerAt(99, { gpu: wide })];
          const played = new PlayedPicker(all, { columns: 90, rows: 16 });
          const patched = new VirtualScreen(90, 16);
          await patched.show(played.state);
          for (const key of pressed) {
            await patched.show(played.press(key).state);
          }
          const fresh = new VirtualScreen(90, 16);
          await fresh.show(played.state);
          expect(patched.cells()).toEqual(fresh.cells());
          patched.close();
          fresh.close();
        },
      ),
      { seed: 20_261_120, numRuns: 40 },
    );
  });

  it("is at most 220 bytes for a cursor key", async () => {
    const played = new PlayedPicker(catalog);
    const screen = new VirtualScreen(80, 24);
    await screen.show(played.state);
    for (let count = 0; count < 10; count++) {
      const before = screen.bytes;
      await screen.show(played.press("j").state);
      expect(screen.bytes - before).toBeLessThanOrEqual(220);
    }
    screen.close();
  });
});
