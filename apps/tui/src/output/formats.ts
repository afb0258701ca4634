import { printable, type Align } from "@gpu-offers/list";
import { fit, textWidth } from "../text/width.js";
import { jsonText } from "../text/json-text.js";

/** Output formats of lists. */
export const FORMATS = ["table", "json", "ndjson", "csv"] as const;

export type Format = (typeof FORMATS)[number];

/** Headings, and rows of texts. */
export interface Grid {
  titles: readonly string[];
  aligns: readonly Align[];
  rows: readonly (readonly string[])[];
}

export type GridColumn<Value> = readonly [title: string, cell: (value: Value) => string, align?: Align];

export function gridOf<Value>(values: readonly Value[], columns: readonly GridColumn<Value>[]): Grid {
  return {
    titles: columns.map(([title]) => title),
    aligns: columns.map(([, , align = "left"]) => align),
    rows: values.map((value) => columns.map(([, cell]) => printable(cell(value)))),
  };
}

/**
 * Formats a list: the grid as a table, the values as JSON, or as CSV with a column per leaf. All but an empty table end
 * with a line break.
 */
export function formatList(format: Format, values: readonly object[], grid: () => Grid): string {
  switch (format) {
    case "json":
      return `${jsonText(values, 2)}\n`;
    case "ndjson":
      return values.map((value) => `${jsonText(value)}\n`).join("");
    case "csv":
      return formatCsv(values);
    case "table":
      return formatTable(grid());
  }
}

/** Formats one value: as an object in JSON, and otherwise like a list of one. */
export function formatOne(format: Format, value: object, grid: () => Grid): string {
  return format === "json" ? `${jsonText(value, 2)}\n` : formatList(format, [value], grid);
}

function formatTable({ titles, aligns, rows }: Grid): string {
  const lines = [titles, ...rows];
  const widths = titles.map((_, index) =>
    lines.reduce((most, line) => Math.max(most, textWidth(line[index] ?? "")), 0),
  );
  const padded = lines.map((line) => line.map((cell, index) => fit(cell, widths[index] ?? 0, aligns[index])));
  return padded.map((line) => `${line.join("  ").trimEnd()}\n`).join("");
}

/** A row per value and a column per leaf, named by path such as `gpu.vramGB`. Lists and unknown values are JSON. */
function formatCsv(values: readonly object[]): string {
  const rows = values.map((value) => new Map(leavesOf(value)));
  const titles = leafTitles(rows);
  const lines = rows.map((row) => titles.map((title) => csvField(row.get(title))));
  return [titles, ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

/** Columns in one order. An object that is null in some rows has the columns of its leaves, in its place. */
function leafTitles(rows: readonly ReadonlyMap<string, unknown>[]): readonly string[] {
  const paths = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const leaves = paths.flatMap((path) => {
    const inner = paths.filter((other) => other.startsWith(`${path}.`));
    const isObject = inner.length > 0 && rows.every((row) => (row.get(path) ?? null) === null);
    return isObject ? inner : [path];
  });
  return [...new Set(leaves)];
}

function leavesOf(value: object, path = ""): [path: string, leaf: unknown][] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, unknown][] =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? leavesOf(member, `${path}${name}.`)
      : [[`${path}${name}`, member]],
  );
}

/** Formats a CSV field (RFC 4180). null is empty; texts that spreadsheets would run as formulas, all but numbers, are escaped. */
function csvField(value: unknown): string {
  if (value === null || value === undefined) {
    return "";
  }
  if (typeof value !== "string") {
    return quoted(typeof value === "number" ? numberText(value) : jsonText(value));
  }
  const text = printable(value);
  return quoted(/^[=+\-@\t]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text);
}

/** Formats a number without exponent, which not all CSV readers support: 1e-7 is 0.0000001. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
