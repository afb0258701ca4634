import { stripVTControlCharacters } from "node:util";
import { renderToString } from "ink";
import { compileSearch } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { effectsOf, readingOf } from "../src/picker/reading.ts";
import { ReadingLine } from "../src/screen/Reading.tsx";
import { DrivenPicker } from "./driven-picker.ts";
import { offersOf } from "./offers.ts";
import { shown } from "./virtual-screen.tsx";

// How the words are read: the line under the field, and the pane that takes other readings.

const NOWHERE = { text: "", terms: [], start: 0, end: 0 };
const PIECES = [
  { ...NOWHERE, as: "8× H100 in 4 forms" },
  { ...NOWHERE, as: "Germany" },
  { ...NOWHERE, as: "below $20 per GPU-hour", doubt: "or of the machine" },
];

describe("the reading", () => {
  test.each([
    [140, /^ 8× H100 in 4 forms · Germany · \?below \$20 per GPU-hour +w why$/],
    [80, /^ 8× H100 in 4 forms · Germany · \?below \$20 per GPU-hour +w why$/],
    [60, /^ 8× H100 in 4 forms · Germany · \?below \$20 per GPU-hour +w$/],
    [40, /^ 8× H100 \(4 forms\) · \?<\$20\/GPU-h \+1 +w$/],
  ])("is a line of pieces at %i columns, and keeps what is doubtful", (columns, line) => {
    const { state } = new DrivenPicker([], { columns });
    const search = { ...compileSearch("").parsed, pieces: PIECES };
    const drawn = renderToString(<ReadingLine state={{ ...state, found: { ...state.found, search } }} />, { columns });
    expect(stripVTControlCharacters(drawn).trimEnd()).toMatch(line);
  });

  test("has its own line while there are words, from the narrowest window on", async () => {
    for (const [columns, rows] of [
      [40, 10],
      [80, 24],
      [140, 40],
    ] as const) {
      const screen = await shown(columns, rows, ["/", ...Array.from("8x under 4")]);
      expect(screen.rows()[2]).toMatch(/^ 8x · \?below \$4 per GPU-hour +Tab why$/);
      expect(screen.rows()).toHaveLength(rows);
      screen.close();
    }
  });

  test("opens with a key or a click at the first doubt, says what pieces exclude, and takes the other reading", () => {
    const driven = new DrivenPicker(offersOf(30)).press("/", ...Array.from("8x alpba"), "Tab");
    expect(driven.state).toMatchObject({ pane: "reading", readingCursor: 1 });
    expect(readingOf(driven.state.found)[1]).toMatchObject({ instead: "alpha" });
    expect(effectsOf(driven.state)).toMatchObject([
      // Without it, the slip is taken for alpha.
      { excludes: 10, insteadCount: undefined },
      { excludes: 10, insteadCount: 0 },
    ]);
    driven.press("Enter");
    expect(driven.state).toMatchObject({ query: { q: "8x alpha" }, field: { text: "8x alpha" } });
    driven.press("Enter");
    expect(driven.state.notice).toBe("There is no other reading.");
    driven.press("Esc").send({ kind: "click", column: 3, row: 2 });
    expect(driven.state.pane).toBe("reading");
  });
});
