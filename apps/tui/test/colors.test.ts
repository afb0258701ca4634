import { describe, expect, test } from "vitest";
import { offerAt, offersOf } from "./offers.ts";
import { NOW_MS, DrivenPicker } from "./driven-picker.ts";
import { COLORED } from "../src/screen/Row.tsx";
import { VirtualScreen } from "./virtual-screen.tsx";

// What each state looks like on a real terminal, cell by cell.

const MAGENTA = 5;
const RED = 1;

const catalog = [offerAt(0, { priceHourly: 0.05, isAvailable: false }), ...offersOf(60).slice(1)];

const sizes = [
  [80, 24],
  [140, 40],
  [58, 20],
  [40, 10],
] as const;

async function screenOf(driven: DrivenPicker, environment = {}): Promise<VirtualScreen> {
  const { columns, rows } = driven.state;
  const screen = new VirtualScreen(columns, rows, environment);
  await screen.show(driven.state);
  return screen;
}

const play = (columns: number, rows: number, ...keys: string[]) =>
  new DrivenPicker(catalog, { columns, rows }).press(...keys);

describe.each(sizes)("at %i x %i", (columns, rows) => {
  test("the row under the cursor is inverse from edge to edge, and no other is", async () => {
    const screen = await screenOf(play(columns, rows, "j"));
    const pointer = screen.find("❯");
    const list = { left: pointer.column, right: columns >= 140 ? columns - 41 : columns - 1 };
    for (let column = list.left; column <= list.right; column++) {
      expect([column, screen.cell(pointer.row, column).isInverse]).toEqual([column, true]);
      expect(screen.cell(pointer.row + 1, column).isInverse).toBe(false);
    }
    screen.close();
  });

  test("the mark of an offer that is not available is red, on the inverse row under the cursor too", async () => {
    for (const keys of [["G"], ["G", "k"]]) {
      const screen = await screenOf(play(columns, rows, ...keys));
      const mark = screen.find("× 1×");
      expect(screen.cell(mark.row, mark.column)).toMatchObject({ color: RED, isBold: true });
      const pointer = screen.find("❯");
      expect(screen.cell(pointer.row, pointer.column)).toMatchObject({ color: -1, isInverse: true });
      screen.close();
    }
  });

  test("a mark to compare is magenta, and red where the offer is not available", async () => {
    const screen = await screenOf(play(columns, rows, "G", " ", "k", " "));
    const first = screen.find("●");
    expect(screen.cell(first.row, first.column).color).toBe(MAGENTA);
    const second = screen.find("●", first.row + 1);
    expect(screen.cell(second.row, second.column).color).toBe(RED);
    // It reads the same without colors.
    expect(screen.cell(second.row, second.column + 1)).toMatchObject({ text: "×", color: RED });
    screen.close();
  });

  test("headings are dim, the words that were searched for magenta and underlined", async () => {
    const screen = await screenOf(play(columns, rows, "/", "h", "1", "0", "0", "Enter", "j", "k"));
    const heading = screen.find("GPU  ", 2);
    expect(screen.cell(heading.row, heading.column).isDim).toBe(true);
    const match = screen.find("× H100", heading.row + 2);
    expect(screen.cell(match.row, match.column + 2)).toMatchObject({ color: MAGENTA, isUnderlined: true });
    screen.close();
  });

  test("problems are red and bold, in the header and below the list", async () => {
    const driven = play(columns, rows).send({
      kind: "loadFailed",
      problem: { kind: "unreachable", message: "cannot reach it." },
      nowMs: NOW_MS,
    });
    const screen = await screenOf(driven);
    for (const text of ["STALE", "cannot reach"]) {
      const { row, column } = screen.find(text);
      expect(screen.cell(row, column)).toMatchObject({ color: RED, isBold: true });
    }
    screen.close();
  });

  test("the cursor of a field is inverse", async () => {
    const screen = await screenOf(play(columns, rows, "/", "x"));
    const { row, column } = screen.find(" / x");
    expect(screen.cell(row, column + 4).isInverse).toBe(true);
    screen.close();
  });

  test("invalid input is red, in the disk step", async () => {
    const screen = await screenOf(play(columns, rows, "j", "Enter", "Enter", "9", "9", "9", "9", "Enter"));
    const { row, column } = screen.find("Disk must be");
    expect(screen.cell(row, column)).toMatchObject({ color: RED, isBold: true });
    screen.close();
  });

  test("states stay distinguishable without color", async () => {
    const screen = await screenOf(play(columns, rows, "G"), { NO_COLOR: "1" });
    expect(screen.colors()).toEqual([]);
    const pointer = screen.find("❯");
    expect(screen.cell(pointer.row, pointer.column)).toMatchObject({ isInverse: true });
    const mark = screen.find("× 1×");
    expect(screen.cell(mark.row, mark.column).isBold).toBe(true);
    screen.close();
  });
});

const THREE_HOURS_AGO = new Date(NOW_MS - 3 * 3_600_000).toISOString();

describe("old prices", () => {
  const aged = (staleProviders: string[]) =>
    play(80, 24)
      .send({ kind: "restart" })
      .send({
        kind: "pages",
        offers: catalog,
        total: catalog.length,
      })
      .send({
        kind: "age",
        age: {
          pricesAsOf: new Map(["alpha", "beta", "gamma"].map((provider) => [provider, THREE_HOURS_AGO])),
          staleProviders,
        },
      })
      .send({ kind: "loaded", nowMs: NOW_MS });

  test("say how old they are, dim", async () => {
    const screen = await screenOf(aged([]));
    const { row, column } = screen.find("prices 3 h old");
    expect(screen.cell(row, column)).toMatchObject({ isDim: true });
    screen.close();
  });

  test("are red with a word where a provider is stale", async () => {
    const screen = await screenOf(aged(["alpha"]));
    const { row, column } = screen.find("prices 3 h old, some stale");
    expect(screen.cell(row, column)).toMatchObject({ color: RED });
    screen.close();
  });
});

describe("the colors of the theme", () => {
  /** Red and magenta, each as it is and as bold text may be shown, in the palettes of terminals. */
  const PALETTES = {
    xterm: { red: ["cd0000", "ff0000"], magenta: ["cd00cd", "ff00ff"] },
    "Linux console": { red: ["aa0000", "ff5555"], magenta: ["aa00aa", "ff55ff"] },
    "Windows Terminal": { red: ["c50f1f", "e74856"], magenta: ["881798", "b4009e"] },
    "macOS Terminal": { red: ["990000", "e50000"], magenta: ["b200b2", "e500e5"] },
    GNOME: { red: ["c01c28", "f66151"], magenta: ["a347ba", "c061cb"] },
  } as const;

  const luminanceOf = (hex: string): number => {
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((place) => {
      const share = Number.parseInt(hex.slice(place, place + 2), 16) / 255;
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: string, b: string): number => {
    const [dark = 0, light = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  const used = [
    ...new Set(
      Object.values(COLORED).flatMap(({ color, bold = false }) =>
        color === undefined ? [] : [`${color}${bold ? " bold" : ""}`],
      ),
    ),
  ].map((name) => name.split(" "));

  test.each(Object.entries(PALETTES))("are readable on white and on black in %s", (_, palette) => {
    for (const [name = "", bold] of used) {
      const [plain, bright] = palette[name as keyof typeof palette];
      // Where bold text is bright, the bright color must be readable, and else the plain one.
      for (const shown of bold === undefined ? [plain] : [plain, bright]) {
        const ratios = ["ffffff", "000000"].map((ground) => contrast(shown, ground));
        expect([name, shown, Math.min(...ratios) >= 2.3]).toEqual([name, shown, true]);
      }
    }
  });
});
