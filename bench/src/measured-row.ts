import { expect, type TestContext } from "vitest";
import { addRow } from "@gpu-offers/testkit/table-row";

/** One measurement, or the same of several lists. */
interface MeasuredRow {
  what: string;
  reference: string;
  measured: string;
  /** Of the measured figure to the reference, or the inverse, depending on the bar. */
  ratio?: number | readonly number[];
  /** `<= 3 times`, or a limit for each list: `<= 7 / 7 / 20 times`. */
  bar: string;
  /** What the bar is about, if that isn't the ratio. */
  value?: number | readonly number[];
}

/** Adds a row to the table, and expects that it is within its bar. */
export function addMeasured(context: Pick<TestContext, "task">, row: MeasuredRow): void {
  const { what, reference, measured, ratio = [], bar, value = ratio } = row;
  const ratios = [ratio].flat().map((one) => (one >= 100 ? Math.round(one).toLocaleString("en-US") : one.toFixed(2)));
  addRow(context, what, reference, measured, ratios.join(" / ") || "–", bar);
  const limits = bar.split("/").map((limit) => Number(/[\d,.]+/.exec(limit)?.[0].replaceAll(",", "")));
  const values = [value].flat();
  expect(values.length).toBeGreaterThan(0);
  for (const [index, one] of values.entries()) {
    const limit = limits[index] ?? limits[0] ?? Number.NaN;
    if (bar.startsWith("<=")) {
      expect.soft(one, `${what}: ${measured}`).toBeLessThanOrEqual(limit);
    } else {
      expect.soft(one, `${what}: ${measured}`).toBeGreaterThanOrEqual(limit);
    }
  }
}
