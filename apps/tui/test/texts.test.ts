import { priceHistoryFacts } from "@gpu-offers/list";
import { describe, expect, test } from "vitest";
import { formatList } from "../src/output/formats.ts";
import { comparisonOf } from "../src/picker/compare-pane.ts";
import { jsonText } from "../src/text/json-text.ts";
import { rowText } from "./virtual-screen.tsx";
import { offersOf } from "./offers.ts";
import { NOW_MS, DrivenPicker } from "./driven-picker.ts";

describe("CSV", () => {
  const csvOf = (text: string): string =>
    formatList("csv", [{ text }], () => ({ titles: [], aligns: [], rows: [] })).split("\r\n")[1] ?? "";

  test.each([["-2+3+cmd|' /C calc'!A0"], ["-1e5"], ["=1"], ["+1"], ["@a"], ["-"], ["-2-3"]])(
    "escapes %j, which a spreadsheet would run",
    (text) => {
      expect(csvOf(text)).toBe(`'${text}`);
    },
  );

  test.each([["-2"], ["-0.5"], ["2+3"], ["us-east-1"]])("leaves %j as it is", (text) => {
    expect(csvOf(text)).toBe(text);
  });

  test("has columns for the leaves of an object, in its place, also if it is null in the first row", () => {
    const rows = [
      { price: null, id: "a" },
      { price: { min: 1, max: 2 }, id: "b" },
    ];
    expect(formatList("csv", rows, () => ({ titles: [], aligns: [], rows: [] }))).toBe(
      "price.min,price.max,id\r\n,,a\r\n1,2,b\r\n",
    );
  });
});

describe("JSON", () => {
  test("parses to the same text, also with characters beyond 16 bits that terminals don't show", () => {
    const england = "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    const text = jsonText({ text: `a\u001b${england}` });
    expect(JSON.parse(text)).toEqual({ text: `a\u001b${england}` });
    expect(text).toContain("\\udb40\\udc67");
  });
});

describe("odd values of a service", () => {
  test("are shown in price histories: times that aren't times, negative prices", () => {
    const prices = [
      { at: "x", priceHourly: -5 },
      { at: "yesterday", priceHourly: 2 },
    ];
    const facts = priceHistoryFacts({ offer: "a", trackedSince: "2026-11-01", isComplete: true, prices }, NOW_MS);
    expect(facts).toEqual([
      ["price changed", "time unknown, was $-5/h"],
      ["price history", "▁█ $-5 to $2.00/h, tracked since 2026-11-01"],
    ]);
  });

  test("are unknown ages in comparisons", () => {
    const picker = new DrivenPicker(offersOf(2)).press(" ", "j", " ");
    const age = { pricesAsOf: new Map([["alpha", "soon"]]), staleProviders: [] };
    const rows = comparisonOf(picker.send({ kind: "age", age }).state).rows.map(rowText);
    expect(rows.join("\n")).not.toContain("NaN");
  });
});
