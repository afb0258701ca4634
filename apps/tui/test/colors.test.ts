import { describe, expect, it } from "vitest";
import { offerAt, offersOf } from "./offers.ts";
import { NOW_MS, DrivenPicker } from "./driven-picker.ts";
import { VirtualScreen } from "./virtual-screen.tsx";

// What each state looks like on a real terminal, cell by cell.

const CYAN = 6;
const YELLOW = 3;

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
  it("the row under the cursor is inverse from edge to edge, and no other is", async () => {
    const screen = await screenOf(play(columns, rows, "j"));
    const pointer = screen.find("❯");
    const list = { left: pointer.column, right: columns >= 140 ? columns - 41 : columns - 1 };
    for (let column = list.left; column <= list.right; column++) {
      expect([column, screen.cell(pointer.row, column).isInverse]).toEqual([column, true]);
      expect(screen.cell(pointer.row + 1, column).isInverse).toBe(false);
    }
    screen.close();
  });

  it("the mark of an offer that is not available is yellow, on the inverse row under the cursor too", async () => {
    for (const keys of [["G"], ["G", "k"]]) {
      const screen = await screenOf(play(columns, rows, ...keys));
      const mark = screen.find("× 1×");
      expect(screen.cell(mark.row, mark.column)).toMatchObject({ color: YELLOW, isBold: true });
      const pointer = screen.find("❯");
      expect(screen.cell(pointer.row, pointer.column)).toMatchObject({ color: -1, isInverse: true });
      screen.close();
    }
  });

  it("a mark to compare is cyan, and yellow where the offer is not available", async () => {
    const screen = await screenOf(play(columns, rows, "G", " ", "k", " "));
    const first = screen.find("●");
    expect(screen.cell(first.row, first.column).color).toBe(CYAN);
    const second = screen.find("●", first.row + 1);
    expect(screen.cell(second.row, second.column).color).toBe(YELLOW);
    // It reads the same without colors.
    expect(screen.cell(second.row, second.column + 1)).toMatchObject({ text: "×", color: YELLOW });
    screen.close();
  });

  it("headings are dim, the words that were searched for cyan and underlined", async () => {
    const screen = await screenOf(play(columns, rows, "/", "h", "1", "0", "0", "Enter", "j", "k"));
    const heading = screen.find("GPU  ", 2);
    expect(screen.cell(heading.row, heading.column).isDim).toBe(true);
    const match = screen.find("× H100", heading.row + 2);
    expect(screen.cell(match.row, match.column + 2)).toMatchObject({ color: CYAN, isUnderlined: true });
    screen.close();
  });

  it("problems are yellow and bold, in the header and below the list", async () => {
    const driven = play(columns, rows).send({
      kind: "loadFailed",
      problem: { kind: "unreachable", message: "cannot reach it." },
      nowMs: NOW_MS,
    });
    const screen = await screenOf(driven);
    for (const text of ["STALE", "cannot reach"]) {
      const { row, column } = screen.find(text);
      expect(screen.cell(row, column)).toMatchObject({ color: YELLOW, isBold: true });
    }
    screen.close();
  });

  it("the cursor of a field is inverse", async () => {
    const screen = await screenOf(play(columns, rows, "/", "x"));
    const { row, column } = screen.find(" / x");
    expect(screen.cell(row, column + 4).isInverse).toBe(true);
    screen.close();
  });

  it("invalid input is yellow, in the disk step", async () => {
    const screen = await screenOf(play(columns, rows, "j", "Enter", "Enter", "9", "9", "9", "9", "Enter"));
    const { row, column } = screen.find("Disk must be");
    expect(screen.cell(row, column)).toMatchObject({ color: YELLOW, isBold: true });
    screen.close();
  });

  it("states stay distinguishable without color", async () => {
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

  it("say how old they are, dim", async () => {
    const screen = await screenOf(aged([]));
    const { row, column } = screen.find("prices 3 h old");
    expect(screen.cell(row, column)).toMatchObject({ isDim: true });
    screen.close();
  });

  it("are yellow with a word where a provider is stale", async () => {
    const screen = await screenOf(aged(["alpha"]));
    const { row, column } = screen.find("prices 3 h old, some stale");
    expect(screen.cell(row, column)).toMatchObject({ color: YELLOW });
    screen.close();
  });
});
