import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Segmenter } from "../bundled/segmenter.ts";

// Characters that the screen shows, that Unicode joins, and that end lines or begin escape sequences.
const text = fc
  .array(
    fc.constantFrom(
      ...Array.from("aZ09 ~–×●│…❯©↔é\u001B[\n\r"),
      "e\u0301",
      "한",
      "👩",
      "\u200D",
      "💻",
      "🇩",
      "🇪",
      "\uFE0F",
      "1\u20E3",
    ),
  )
  .map((parts) => parts.join(""));

test("texts are split as by Intl.Segmenter", () => {
  const real = new Intl.Segmenter();
  const own = new Segmenter();
  const isSplitAlike = (given: string): void => {
    expect([...own.segment(given)]).toEqual([...real.segment(given)]);
  };
  fc.assert(fc.property(text, isSplitAlike), { numRuns: 2_000 });
});
