import type { Offer } from "@gpu-offers/domain";
import { fit, printable, textWidth, type Align } from "../text/width.js";
import type { CellFacts, Column } from "./columns.js";
import { jsonText } from "../text/json-text.js";

/** How lists are printed. */
export const FORMATS = ["table", "json", "ndjson", "csv"] as const;

/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number];

/** A heading and the texts below it. */
export interface Grid {
  titles: readonly string[];
  aligns: readonly Align[];
  rows: readonly (readonly string[])[];
}

/** The cells that a screen shows of offers; the id comes last, since it is what scripts go on with. */
export function offerGrid(columns: readonly Column[], offers: readonly Offer[], facts: CellFacts): Grid {
  return {
    titles: [...columns.map(({ title }) => title), "ID"],
    aligns: [...columns.map(({ align }) => align), "left"],
    rows: offers.map((offer) => [...columns.map(({ cell }) => cell(offer, facts)), printable(offer.id)]),
  };
}

/** A list as text: values as JSON, cells as table or csv. Every form but an empty table ends with a line break. */
export function formatList(format: Format, values: readonly unknown[], grid: () => Grid): string {
  switch (format) {
    case "json":
      return `${jsonText(values, 2)}\n`;
    case "ndjson":
      return values.map((value) => `${jsonText(value)}\n`).join("");
    case "csv":
      return formatCsv(grid());
    case "table":
      return formatTable(grid());
  }
}

function formatTable({ titles, aligns, rows }: Grid): string {
  const lines = [titles, ...rows];
  const widths = titles.map((_, index) =>
    lines.reduce((most, line) => Math.max(most, textWidth(line[index] ?? "")), 0),
  );
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, index) => fit(cell, widths[index] ?? 0, aligns[index]))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function formatCsv({ titles, rows }: Grid): string {
  return [titles, ...rows].map((line) => `${line.map(csvField).join(",")}\r\n`).join("");
}

/** RFC 4180; a cell that a spreadsheet would run as a formula is kept a text. */
function csvField(cell: string): string {
  const text = /^[=+\-@\t]/.test(cell) && !/^-?\d/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
