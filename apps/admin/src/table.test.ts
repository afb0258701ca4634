import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { formatTable, type Columns } from "./table.js";

interface Row {
  id: string;
  name: string;
  count: number;
}

const columns: Columns<Row> = { ID: "id", NAME: ({ name }) => name, COUNT: "count" };
const flexible = ["NAME"];

const rows: Row[] = [
  { id: "a1", name: "Ada Lovelace, Countess", count: 5 },
  { id: "b22", name: "日本語の名前", count: 1_234 },
];

describe("a table", () => {
  test("aligns columns by their width on screen, numbers to the right", () => {
    expect(formatTable(columns, rows, flexible, 80)).toBe(
      [
        "ID   NAME                    COUNT",
        "a1   Ada Lovelace, Countess      5",
        "b22  日本語の名前             1234",
      ].join("\n"),
    );
  });

  test("truncates flexible columns on a narrow terminal", () => {
    expect(formatTable(columns, rows, flexible, 26)).toBe(
      ["ID   NAME            COUNT", "a1   Ada Lovelace,…      5", "b22  日本語の名前     1234"].join("\n"),
    );
  });

  test("becomes one untruncated block per row if that is still too narrow", () => {
    expect(formatTable(columns, rows, flexible, 20)).toBe(
      [
        "ID     a1",
        "NAME   Ada Lovelace, Countess",
        "COUNT  5",
        "",
        "ID     b22",
        "NAME   日本語の名前",
        "COUNT  1234",
      ].join("\n"),
    );
  });

  test("without rows shows only its headings", () => {
    expect(formatTable(columns, [], flexible, 80)).toBe("ID  NAME  COUNT");
  });

  test("fits any width as columns, or is complete as blocks", () => {
    const row = fc.record({
      id: fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom("a", "7", "-") }),
      name: fc.string({ maxLength: 40, unit: fc.constantFrom("a", "é", "語", "👩‍🚀", "z") }),
      count: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 90 }), (some, width) => {
        const text = formatTable(columns, some, flexible, width);
        const lines = text.split("\n");
        const isInColumns = lines.length === some.length + 1 && /^ID +NAME +COUNT$/.test(lines[0] ?? "");
        const fits = Math.max(...lines.map((line) => stringWidth(line))) <= width;
        const isWhole = some.every(({ id, name }) => text.includes(id) && text.includes(name.trimEnd()));
        expect(isInColumns ? fits : isWhole).toBe(true);
      }),
      { seed: 11 },
    );
  });
});
