import { styledCharsFromTokens, styledCharsToString, tokenize } from "@alcalzone/ansi-tokenize";
import { Chalk } from "chalk";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import RowOutput from "../bundled/row-output.ts";
import Output from "../node_modules/ink/build/output.js";

const WIDTH = 20;
const HEIGHT = 4;

const { bold, dim, inverse, red, underline } = new Chalk({ level: 1 });
const styles = [String, bold, dim, red, underline];
const part = fc
  .tuple(
    fc.constantFrom("h100", " ", "  ", "$2.50", "│", "…", "×", "한", "👩‍💻", "e\u0301", "\n"),
    fc.constantFrom(...styles),
  )
  .map(([text, style]) => style(text));
const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
const transformers = fc.constantFrom<((line: string) => string)[]>(
  [],
  [(line) => inverse(line)],
  [(line) => dim(line)],
);
// Most texts are all of their row, as on the screen; others are beside another one, or outside.
const write = fc.record({
  x: fc.constantFrom(0, 0, 0, 0, 7, -2),
  y: fc.integer({ min: -1, max: HEIGHT }),
  text,
  transformers,
});
const clip = fc.constantFrom({ x1: 0, x2: WIDTH, y1: 0, y2: HEIGHT }, { x1: 2, x2: 9, y1: 1, y2: 3 });

type Write = typeof write extends fc.Arbitrary<infer Value> ? Value : never;
type Clip = typeof clip extends fc.Arbitrary<infer Value> ? Value : never;

/** The cells of a frame. */
const cells = (output: Output): string[] => {
  const { output: frame, height } = output.get();
  expect(height).toBe(HEIGHT);
  return frame.split("\n").map((row) => styledCharsToString(styledCharsFromTokens(tokenize(row))).trimEnd());
};

test("frames have the cells of Ink's own", () => {
  const isDrawnAlike = (writes: readonly Write[], clipped: Clip): void => {
    const [own, real] = [RowOutput, Output].map((Kind) => {
      const output = new Kind({ width: WIDTH, height: HEIGHT });
      output.clip(clipped);
      writes.forEach(({ x, y, text: written, ...options }) => output.write(x, y, written, options));
      output.unclip();
      return cells(output);
    });
    expect(own).toEqual(real);
  };
  fc.assert(fc.property(fc.array(write, { maxLength: 6 }), clip, isDrawnAlike), { numRuns: 500 });
});
