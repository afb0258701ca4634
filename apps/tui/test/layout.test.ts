import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cellFacts, COLUMNS } from "../src/output/columns.ts";
import { headingText, layOut, rowText, totalWidth } from "../src/output/layout.ts";
import { decimalsFor, microsText } from "../src/text/price-text.ts";
import { runwayText } from "../src/text/runway-text.ts";
import { footerText } from "../src/picker/keys.ts";
import { charactersOf, fit, printable, textWidth, truncate } from "../src/text/width.ts";
import { arbitraryCatalog, arbitraryName, offerAt } from "./offers.ts";

const SEED = { seed: 20_261_120, numRuns: 200 };

describe("rows", () => {
  it("have exactly the width of their columns, and fit, at every width from 40 to 240", () => {
    fc.assert(
      fc.property(arbitraryCatalog(20), fc.integer({ min: 40, max: 240 }), (offers, width) => {
        const facts = cellFacts(offers, { diskGb: 500 });
        const laid = layOut(COLUMNS, offers, facts, width);
        expect(totalWidth(laid)).toBeLessThanOrEqual(width);
        for (const offer of offers) {
          expect(stringWidth(rowText(laid, offer, facts))).toBe(totalWidth(laid));
        }
      }),
      SEED,
    );
  });

  it("never break below that, and keep GPU, count and both prices", () => {
    fc.assert(
      fc.property(arbitraryCatalog(5), fc.integer({ min: 20, max: 240 }), (offers, width) => {
        const laid = layOut(COLUMNS, offers, cellFacts(offers, { diskGb: 0 }), width);
        const ids = laid.map(({ column }) => column.id);
        expect(ids).toEqual(expect.arrayContaining(["gpu", "gpus", "perGpu", "hourly"]));
      }),
      SEED,
    );
  });

  it("drop images, CPU and RAM, runway, disk, provider and VRAM in this order", () => {
    const offers = [offerAt(0)];
    const facts = cellFacts(offers, { diskGb: 500 });
    const dropped: string[] = [];
    const shown = COLUMNS.filter(({ id }) => id !== "available");
    let before = shown.map(({ id }) => id);
    for (let width = 240; width >= 40; width--) {
      const now = layOut(shown, offers, facts, width).map(({ column }) => column.id);
      dropped.push(...before.filter((id) => !now.includes(id)));
      before = now;
    }
    expect(dropped).toEqual(["images", "machine", "runway", "disk", "provider", "vram", "where", "total"]);
  });

  it("keep the price with the disk at 50 columns: a long name of a GPU gives way to it", () => {
    const gpu = { name: "RTX PRO 6000 Blackwell", slug: "rtx-pro-6000", vramGB: 96, architecture: "Blackwell" };
    const offers = [offerAt(0), offerAt(1, { gpu, gpuCount: 8, priceHourly: 987.6543, pricePerGpu: 123.456788 })];
    const laid = layOut(COLUMNS, offers, cellFacts(offers, { diskGb: 500 }), 48);
    expect(laid.map(({ column }) => column.id)).toEqual(["gpu", "gpus", "perGpu", "hourly", "total"]);
    expect(totalWidth(laid)).toBeLessThanOrEqual(48);
  });

  it("carry headings of the same width", () => {
    const offers = [offerAt(0)];
    const laid = layOut(COLUMNS, offers, cellFacts(offers, { diskGb: 0 }), 120);
    expect(headingText(laid, (column) => (column.sort === "pricePerGpu" ? "↑" : ""))).toHaveLength(totalWidth(laid));
  });
});

describe("texts", () => {
  it("are cut and padded to a width without breaking a character", () => {
    fc.assert(
      fc.property(arbitraryName, fc.integer({ min: 1, max: 40 }), (name, width) => {
        const text = printable(name);
        expect(stringWidth(fit(text, width))).toBe(width);
        expect(stringWidth(truncate(text, width))).toBeLessThanOrEqual(width);
      }),
      SEED,
    );
  });

  it("never hold a character that moves the cursor", () => {
    expect(printable("\u001b[2Jno\nway\u202e")).toBe("?[2Jno?way?");
  });
});

describe("prices", () => {
  it("have the decimals that the whole result needs", () => {
    expect(decimalsFor([1_900_000, 2_500_000])).toBe(2);
    expect(decimalsFor([1_900_000, 2_505_000])).toBe(3);
    expect(decimalsFor([1_900_000, 2_505_500])).toBe(4);
  });

  it("err upwards where they err", () => {
    expect(microsText(1_900_001, 4)).toBe("1.9001");
    expect(microsText(1_900_000, 3)).toBe("1.900");
  });
});

describe("runways", () => {
  it.each([
    [399_600, "4d 15h"],
    [46_920, "13h 02m"],
    [2_820, "47m LOW"],
    [59, "0 (top up)"],
    [Number.POSITIVE_INFINITY, "free"],
  ])("of %d seconds read %s", (seconds, text) => {
    expect(runwayText(seconds)).toBe(text);
  });
});

describe("the footer", () => {
  it("drops whole hints and keeps help and quit at every width", () => {
    for (let width = 20; width <= 240; width++) {
      const text = footerText("list", width);
      expect(text.length).toBeLessThanOrEqual(width);
      expect(text.endsWith("? help  q quit")).toBe(true);
    }
  });
});

describe("a text", () => {
  const everyCharacter = Array.from({ length: 0x2c00 - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

  it("has the width and the characters that Unicode's tables give it, for every character alone", () => {
    for (const character of everyCharacter) {
      expect([character, textWidth(character)]).toEqual([character, stringWidth(character)]);
    }
  });

  it("has them for characters beside each other, too", () => {
    const narrow = everyCharacter.filter((character) => stringWidth(character) === 1);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...narrow), { maxLength: 20 }), (characters) => {
        const text = characters.join("");
        expect(textWidth(text)).toBe(stringWidth(text));
        expect(charactersOf(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
      }),
      { ...SEED, numRuns: 2_000 },
    );
  });
});
