import { expect, type TestContext } from "vitest";
import { addRow } from "@gpu-offers/testkit/table-row";

/** One measurement, or the same of several lists. */
interface MeasuredRow {
  what: string;
  reference: string;
  measured: string;
  /** Of the measured figure to the reference, or the inverse, depending on the bar. */
  ratio?: number | readonly number[];
  /** `<= 3 times`, or a limit for each list: `<= 7/7/20 times`. */
  bar: string;
  /** What the bar is about, if that isn't the ratio. */
  value?: number | readonly number[];
}

/** Adds a row to the table, and expects that it is within its bar. */
export function addMeasured(context: Pick<TestContext, "task">, row: MeasuredRow): void {
  const { what, reference, measured, ratio = [], bar, value = ratio } = row;
  const ratios = [ratio].flat().map((one) => (one >= 100 ? Math.round(one).toLocaleString("en-US") : one.toFixed(2)));
  const limits = bar.split("/").map((limit) => Number(/[\d,.]+/.exec(limit)?.[0].replaceAll(",", "")));
  const isMet = [value].flat().every((one, index) => {
    const limit = limits[index] ?? limits[0] ?? Number.NaN;
    return bar.startsWith("<=") ? one <= limit : one >= limit;
  });
  addRow(context, { what, cells: [reference, measured, ratios.join("/") || "–"], bar, isMet });
  expect.soft(isMet, `${what}: ${measured} (${ratios.join("/")}), bar ${bar}`).toBe(true);
}
