import { describe, expect, test } from "vitest";
import { imageNamed, offerAt, offersOf, WIDE_GPU } from "./offers.ts";
import { DrivenPicker } from "./driven-picker.ts";
import { shown, VirtualScreen } from "./virtual-screen.tsx";

// What is shown at each window size, and in which colors.

const catalog = offersOf(100);

describe.each([
  ["in color", {}],
  ["without color", { NO_COLOR: "1" }],
])("the list %s", (_, environment) => {
  test.each([
    [80, 24],
    [140, 40],
    [60, 20],
    [40, 10],
  ])("fills exactly %d x %d", async (columns, rows) => {
    const screen = await shown(columns, rows, ["j", "j"], environment);
    const lines = screen.rows();
    expect(lines).toHaveLength(rows);
    expect(lines[0]).toMatch(/^ gpu-offers {3}100 offers/);
    expect(lines.filter((line) => /(?:^|│ )❯/.test(line))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/\? help {2}q quit$/);
    expect(lines[2]).toMatch(columns < 50 ? /PROVIDER +\$\/GPU-H↑/ : /\$\/GPU-H↑ +\$\/H/);
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
  test.each(
    Object.entries(ways).flatMap(([name, keys]) =>
      sizes.flatMap(([width, height]) =>
        themes.map(([how, environment]) => [name, width, height, how, keys, environment] as const),
      ),
    ),
  )("fits the window: %s at %i x %i %s", async (_, columns, rows, _how, keys, environment) => {
    const { state } = new DrivenPicker([...catalog, offerAt(100, { gpu: WIDE_GPU })], { columns, rows }).press(...keys);
    const screen = new VirtualScreen(columns, rows, environment);
    await screen.show(state);
    expect(screen.rows().at(-1)).toMatch(/\? help {2}q quit$|Esc (?:back|close)(?: {2}\? help)?$/);
    expect(screen.colors().filter((color) => ![1, 5].includes(color) || "NO_COLOR" in environment)).toEqual([]);
    expect(screen.terminal.buffer.active.baseY).toBe(0);
    screen.close();
  });
});

describe("a narrow screen", () => {
  const order = ["f", "5", "0", "0", "Esc", "s", "s", "j"];

  test("shows the provider, the price with the disk and the sort mark at 50 columns", async () => {
    const screen = await shown(50, 20, order);
    expect(screen.rows()[2]).toMatch(/ PROVIDER +\$\/H\+500GB↑$/);
    screen.close();
  });

  test("hides the sorted price last", async () => {
    const screen = await shown(40, 10, order);
    expect(screen.rows()[2]).toMatch(/^ {3}GPU +PROVI… +\$\/H\+500GB↑$/);
    screen.close();
  });

  test("keeps the filters and drops the hint that clears them", async () => {
    const screen = await shown(40, 10, ["f", "5", "0", "0", "Down", "Down", "Down", "Down", "4", "0", "Esc"]);
    expect(screen.rows()[1]).toMatch(/^ \/ +vram ≥40G {2}disk 500G$/);
    screen.close();
  });

  test("says after which key a number drops a filter, because digits are text in the field", async () => {
    const typing = await shown(80, 20, ["/", "z", "z", "z"]);
    expect(typing.rows().join("\n")).toContain("0 offers. After Enter, a number drops a filter:");
    const typed = await shown(80, 20, ["/", "z", "z", "z", "Enter"]);
    expect(typed.rows().join("\n")).toContain("0 offers. Press a number to drop a filter:");
    typing.close();
    typed.close();
  });

  test("never truncates details, in the pane or beside the list", async () => {
    for (const [columns, rows, keys] of [
      [40, 40, ["d"]],
      [100, 40, []],
      [140, 40, []],
    ] as const) {
      const screen = await shown(columns, rows, keys);
      const body = screen.rows().slice(2, -4);
      const details = body.map((row) => row.slice(row.lastIndexOf("│") + 17).trim());
      expect(details.join("")).toMatch(/0{8}-0000-4000-8000-\d{12}/);
      expect(details.join("")).not.toContain("…");
      screen.close();
    }
  });
});

describe("the filter field", () => {
  const long = "h100|a100|h200|b200|gb200|mi300x|mi250|l40s|rtx4090|rtx3090|rtx5090|a6000|x";
  const { state } = new DrivenPicker(catalog).send({ kind: "paste", text: long });
  const query = {
    ...state.query,
    gpu: ["h100", "h200"],
    country: ["NO"],
    provider: ["alpha"],
    min_vram: 10,
    min_ram: 10,
    min_vcpu: 2,
    available: true,
    disk: 500,
  };
  const filtered = { ...state, query };

  test.each([40, 60, 80, 140])("shows what is typed, and its cursor, at %d columns", async (columns) => {
    const screen = new VirtualScreen(columns, 24);
    for (const cursor of [long.length, 30, 0]) {
      await screen.show({ ...filtered, columns, field: { text: long, cursor } });
      const cells = Array.from({ length: columns }, (_, column) => screen.cell(1, column));
      const place = cells.findIndex(({ isInverse }) => isInverse);
      expect(cells[place]?.text.trim()).toBe(long[cursor] ?? "");
      const before = cells.slice(Math.max(3, place - 20), place);
      expect(before.map(({ text }) => text).join("")).toBe(long.slice(cursor - before.length, cursor));
    }
    screen.close();
  });

  test("leaves room for the other filters when it is closed", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show({ ...filtered, pane: "none" });
    expect(screen.rows()[1]).toMatch(/^ \/ h100\|a100\|\S+… +\S.*…$/);
    screen.close();
  });
});

describe("a list that is longer than the window", () => {
  test("keeps the cursor of the column chooser on the screen", async () => {
    const screen = await shown(80, 12, ["C", "G"]);
    expect(screen.find(" ❯ ").row).toBeLessThan(9);
    screen.close();
  });

  test("shows the end of the details beside the list", async () => {
    const screen = await shown(100, 20, ["Tab"]);
    expect(screen.rows().join("\n")).toMatch(/↓ \d+ more/);
    const { state } = new DrivenPicker(catalog, { columns: 100, rows: 20 }).press("Tab", "G");
    await screen.show(state);
    expect(screen.rows().join("\n")).not.toContain("more");
    screen.close();
  });

  test("says how many images are below", async () => {
    const images = ["ubuntu", "debian", "cuda", "rocm"].map((id) => imageNamed(id));
    const screen = new VirtualScreen(40, 10);
    await screen.show(new DrivenPicker(catalog, { columns: 40, rows: 10, images }).press("Enter").state);
    expect(screen.rows().slice(4, 7)).toEqual([
      expect.stringContaining("❯ Image ubuntu"),
      expect.stringContaining("Image debian"),
      expect.stringMatching(/Image cuda.* ↓ 1 more$/),
    ]);
    screen.close();
  });
});

describe("marks", () => {
  test("are counted below the list, also of hidden offers", async () => {
    const screen = await shown(80, 24, [" ", " ", " ", "/", "g", "a", "m", "m", "a", "Enter"]);
    expect(screen.rows().join("\n")).toMatch(/^ 1 of \d+ {3}3 marked/m);
    screen.close();
  });

  test("are shown and removed by a closed group that holds one", async () => {
    const group = ["a", "b", "c"].map((region, index) => offerAt(0, { region, id: offerAt(index).id }));
    const driven = new DrivenPicker(group).press("Enter", "j", "j", " ", "Left");
    const screen = new VirtualScreen(80, 24);
    await screen.show(driven.state);
    expect(screen.rows()[3]).toMatch(/^❯●/);
    expect(driven.press(" ").state.marks.size).toBe(0);
    screen.close();
  });
});

describe("prices that exclude the disk", () => {
  const most = Array.from({ length: 50 }, (_, index) => offerAt(index, { costDataComplete: index === 0 }));

  test.each([
    [80, "≥ at least: disk price unknown"],
    [40, "≥ at least"],
  ])("are noted once below the list at %d columns", async (columns, note) => {
    const screen = new VirtualScreen(columns, 20);
    await screen.show(new DrivenPicker(most, { columns, rows: 20 }).state);
    expect(screen.rows().filter((line) => line.includes("≥ at least"))).toEqual([expect.stringMatching(`${note}$`)]);
    screen.close();
  });

  test("are noted even if unavailable offers are hidden", async () => {
    const offers = [...most, offerAt(50, { costDataComplete: false, isAvailable: false })];
    const screen = new VirtualScreen(80, 24);
    await screen.show(new DrivenPicker(offers).press("A").state);
    expect(screen.rows().join("\n")).toContain("1 unavailable hidden; A shows them   ≥ at least: disk price unknown");
    screen.close();
  });
});

describe("offers that are not available", () => {
  const some = [offerAt(0, { isAvailable: false, priceHourly: 0.05 }), offerAt(1), offerAt(2)];

  test("are below a divider, and counted while they are off the screen", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show(new DrivenPicker(some).state);
    const { row } = screen.find("── sold out");
    expect(screen.rows()[row + 1]).toMatch(/^ ×/);
    screen.close();
    const low = new VirtualScreen(80, 10);
    await low.show(new DrivenPicker([...offersOf(60), ...some], { rows: 10 }).state);
    expect(low.rows().join("\n")).toContain("1 sold out below");
    low.close();
  });
});

describe("an open group", () => {
  test("shows of its offers what differs: region and place", async () => {
    const places = ["us-east-10", "us-east-2"].map((region, index) =>
      offerAt(0, {
        id: String(index),
        region,
        regionInfo: { countryCode: "US", countryName: "United States", cityState: "Ohio", continent: "North America" },
      }),
    );
    const screen = new VirtualScreen(80, 24);
    await screen.show(new DrivenPicker(places).press("Enter").state);
    expect(screen.rows().slice(4, 6)).toEqual([
      "       us-east-2   Ohio, United States",
      "       us-east-10  Ohio, United States",
    ]);
    screen.close();
  });
});

describe("the steps in the smallest window", () => {
  const toDisk = ["f", "5", "0", "0", "Esc", "Enter", "Enter"];

  test.each([
    ["the cost of a disk", toDisk, /^ = \$1\.50 \+ 500 GB × \$0\.1022\/month$/],
    ["the total price", toDisk, /^ \$1\.57\/h {6}runway /],
    ["the problem of a disk", [...toDisk, "9", "9", "9", "9", "Enter"], /^ Disk must be 50-2000 GB, not 9999\./],
    ["the price to confirm", [...toDisk, "Enter"], /^ \$1\.57\/h {6}runway /],
  ])("show %s", async (_, keys, wanted) => {
    const screen = await shown(40, 10, keys);
    expect(screen.rows().filter((row) => wanted.test(row))).toHaveLength(1);
    screen.close();
  });

  test("show all three alternatives to an offer that is gone", async () => {
    const driven = new DrivenPicker(catalog, { columns: 40, rows: 10, checked: () => undefined });
    const screen = new VirtualScreen(40, 10);
    await screen.show(driven.press("Enter", "Enter", "Enter", "Enter").state);
    expect(screen.rows().filter((row) => /^ {3}[123] \d× H100/.test(row))).toHaveLength(3);
    screen.close();
  });
});

describe("colors", () => {
  test("are two ANSI colors, never green beside red, and are off with NO_COLOR", async () => {
    const keys = ["/", "h", "1", "0", "0", "Enter"];
    const colored = await shown(80, 24, keys);
    const plain = await shown(80, 24, keys, { NO_COLOR: "1" });
    expect(colored.colors()).toEqual([5]);
    expect(plain.colors()).toEqual([]);
    expect(plain.rows()).toEqual(colored.rows());
    colored.close();
    plain.close();
  });
});

describe("a wide screen", () => {
  test("has a details pane that d closes", async () => {
    const screen = await shown(140, 40);
    expect(screen.rows().some((line) => / │ architecture +Hopper$/.test(line))).toBe(true);
    await screen.show(new DrivenPicker(catalog, { columns: 140, rows: 40 }).press("d").state);
    expect(screen.rows().join("\n")).not.toContain("architecture");
    screen.close();
  });
});

describe("a screen that is too small", () => {
  test("shows a one-line message", async () => {
    const screen = await shown(39, 12);
    expect(screen.rows().filter((line) => line !== "")).toEqual(["gpu-offers needs 40x10, this is 39x12"]);
    screen.close();
  });

  test("shows only the required size if the sentence doesn't fit", async () => {
    const screen = await shown(20, 5);
    expect(screen.rows()[0]).toBe("needs 40x10");
    screen.close();
  });

  test("works at three columns", async () => {
    const screen = await shown(3, 3);
    expect(screen.rows()[0]).toBe("ne…");
    screen.close();
  });
});
