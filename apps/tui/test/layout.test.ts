import {
  ageText,
  cellFacts,
  COLUMNS,
  decimalsFor,
  gpuText,
  microsText,
  placesText,
  placeText,
  printable,
  runwayText,
} from "@gpu-offers/list";
import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { headingText, layOut, rowText, totalWidth } from "../src/output/layout.ts";
import { footerText } from "../src/picker/keys.ts";
import { charactersOf, fit, textWidth, truncate } from "../src/text/width.ts";
import { arbitraryCatalog, arbitraryName, offerAt } from "./offers.ts";

const SEED = { seed: 20_261_120, numRuns: 200 };

describe("rows", () => {
  test("have exactly the width of their columns, and fit, at every width from 40 to 240", () => {
    fc.assert(
      fc.property(arbitraryCatalog(20), fc.integer({ min: 40, max: 240 }), (offers, width) => {
        const facts = cellFacts(offers, { diskGb: 500 });
        const sized = layOut(COLUMNS, offers, { facts, width });
        expect(totalWidth(sized)).toBeLessThanOrEqual(width);
        for (const offer of offers) {
          expect(stringWidth(rowText(sized, { offer }, facts))).toBe(totalWidth(sized));
        }
      }),
      SEED,
    );
  });

  test("lose what many sources don't state before providers and places are cut", () => {
    const offers = [
      { ...offerAt(1), region: "northcentralus-2", provider: { name: "digitalocean", slug: "digitalocean" } },
    ];
    const facts = cellFacts(offers, { diskGb: undefined });
    const names = new Set(["provider", "where"]);
    for (let width = 60; width <= 140; width++) {
      const sized = layOut(COLUMNS, offers, { facts, width });
      const isCut = sized.some(({ column, width: given }) => {
        const text = column.cell(offers[0] ?? offerAt(1), facts);
        return names.has(column.id) && given < Math.min(column.maxWidth, stringWidth(text));
      });
      const minor = sized.filter(({ column }) => ["machine", "disk", "images"].includes(column.id));
      expect({ width, isCut: isCut && minor.length > 0 }).toEqual({ width, isCut: false });
    }
  });

  test("keep the GPU and a price at every width, and the price that the list is ordered by", () => {
    fc.assert(
      fc.property(
        arbitraryCatalog(5).filter(({ length }) => length > 0),
        fc.integer({ min: 20, max: 240 }),
        fc.constantFrom("pricePerGpu", "priceHourly", "total"),
        (offers, width, sort) => {
          const sized = layOut(COLUMNS, offers, { facts: cellFacts(offers, { diskGb: 0 }), width, sort });
          expect(sized[0]?.column.id).toBe("gpu");
          expect(sized.some(({ column }) => column.sort === sort)).toBe(true);
        },
      ),
      SEED,
    );
  });

  test("drop every other column but one price before they cut the name of the GPU", () => {
    fc.assert(
      fc.property(arbitraryCatalog(5), fc.integer({ min: 20, max: 240 }), (offers, width) => {
        const facts = cellFacts(offers, { diskGb: 0 });
        const sized = layOut(COLUMNS, offers, { facts, width });
        const cut = offers.filter(
          (offer) => stringWidth(gpuText(offer)) <= 40 && !rowText(sized, { offer }, facts).startsWith(gpuText(offer)),
        );
        expect(sized.length > 2 ? cut.map(gpuText) : []).toEqual([]);
      }),
      SEED,
    );
  });

  test("keep the location if the few widest GPU names can overflow into it", () => {
    const long = offerAt(0, { gpu: { name: "RTX PRO 6000 Server", slug: "x", vramGB: 96, architecture: "B" } });
    const offers = [long, offerAt(1), offerAt(2), offerAt(3)];
    const facts = cellFacts(offers, { diskGb: undefined });
    const shown = COLUMNS.filter(({ id }) => ["gpu", "provider", "where", "perGpu", "hourly"].includes(id));
    const sized = layOut(shown, offers, { facts, width: 64 });
    expect(sized.map(({ column }) => column.id)).toEqual(["gpu", "provider", "where", "perGpu", "hourly"]);
    expect(rowText(sized, { offer: long }, facts)).toMatch(
      /^1× RTX PRO 6000 Server 96G {2}alpha +NO regi\S* +1\.5000 +1\.5000$/,
    );
    expect(layOut(shown, offers, { facts, width: 120 })[0]?.width).toBe(stringWidth(gpuText(long)));
  });

  test("drop images, CPU and RAM, disk, the prices without disk and of 30 days, place, price of a GPU and provider in this order", () => {
    const offers = [offerAt(0)];
    const facts = cellFacts(offers, { diskGb: 500, imageCounts: new Map([["alpha", 3]]) });
    const dropped: string[] = [];
    const shown = COLUMNS.filter(({ id }) => id !== "stock");
    let before: string[] = shown.map(({ id }) => id).filter((id) => id !== "runway");
    for (let width = 240; width >= 30; width--) {
      const now = layOut(shown, offers, { facts, width }).map(({ column }) => column.id);
      dropped.push(...before.filter((id) => !now.some((other) => other === id)));
      before = now;
    }
    expect(dropped).toEqual(["images", "machine", "disk", "hourly", "month", "where", "perGpu", "provider"]);
  });

  test("omit columns without values", () => {
    const offers = [offerAt(0, { specs: { vcpu: 0, ram: 0, disk: 0 } })];
    const sized = layOut(COLUMNS, offers, { facts: cellFacts(offers, { diskGb: 500 }), width: 240 });
    expect(sized.map(({ column }) => column.id)).not.toContain("machine");
    expect(sized.map(({ column }) => column.id)).not.toContain("runway");
  });

  test("carry headings of the same width", () => {
    const offers = [offerAt(0)];
    const facts = cellFacts(offers, { diskGb: 0 });
    const sized = layOut(COLUMNS, offers, { facts, width: 120 });
    const heading = headingText(sized, facts, (column) => (column.sort === "pricePerGpu" ? "↑" : ""));
    expect(heading).toHaveLength(totalWidth(sized));
  });

  test("mark lower bounds, however many there are", () => {
    const known = offerAt(0);
    const unknown = [1, 2, 3].map((index) => offerAt(index, { costDataComplete: false, gpuCount: 1 }));
    const hourly = COLUMNS.find(({ id }) => id === "hourly");
    const all = [known, ...unknown];
    const cells = all.map((offer) => hourly?.cell(offer, cellFacts(all, { diskGb: 0 })));
    expect(cells).toEqual(["1.500", "≥2.500", "≥3.500", "≥4.500"]);
  });
});

describe("places", () => {
  const at = (index: number, countryCode: string, region: string) =>
    offerAt(index, {
      region,
      regionInfo: { countryCode, countryName: "", cityState: "", continent: "Europe" },
    });

  test.each([
    ["FI fin-01", at(0, "FI", "fin-01")],
    ["US Michigan", at(0, "US", "Michigan, US, EU")],
    ["moon-1", at(0, "ZZ", "moon-1")],
  ])("read %s", (text, offer) => {
    expect(placeText(offer)).toBe(text);
  });

  test("of a group name what they share", () => {
    expect(placesText([at(0, "FI", "a"), at(1, "FI", "b")])).toBe("FI 2 places ›");
    expect(placesText([at(0, "FI", "a"), at(1, "NO", "b"), at(2, "NO", "c")])).toBe("EU 3 places ›");
  });
});

describe("ages", () => {
  test.each([
    [20_000, "under 1 min"],
    [12 * 60_000, "12 min"],
    [3.9 * 3_600_000, "3 h"],
    [5 * 86_400_000, "5 d"],
  ])("of %d ms read %s", (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});

describe("texts", () => {
  test("are cut and padded to a width without breaking a character", () => {
    fc.assert(
      fc.property(arbitraryName, fc.integer({ min: 1, max: 40 }), (name, width) => {
        const text = printable(name);
        expect(stringWidth(fit(text, width))).toBe(width);
        expect(stringWidth(truncate(text, width))).toBeLessThanOrEqual(width);
      }),
      SEED,
    );
  });

  test("never hold a character that moves the cursor", () => {
    expect(printable("\u001b[2Jno\nway\u202e")).toBe("?[2Jno?way?");
  });
});

describe("prices", () => {
  test("have the decimals that the whole result needs", () => {
    expect(decimalsFor([1_900_000, 2_500_000])).toBe(2);
    expect(decimalsFor([1_900_000, 2_505_000])).toBe(3);
    expect(decimalsFor([1_900_000, 2_505_500])).toBe(4);
  });

  test("are rounded up, never down", () => {
    expect(microsText(1_900_001, 4)).toBe("1.9001");
    expect(microsText(1_900_000, 3)).toBe("1.900");
  });
});

describe("runways", () => {
  test.each([
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
  test("drops whole hints and keeps help and quit at every width", () => {
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

  test("has the width and the characters that Unicode's tables give it, for every character alone", () => {
    for (const character of everyCharacter) {
      expect([character, textWidth(character)]).toEqual([character, stringWidth(character)]);
    }
  });

  test("has them for characters beside each other, too", () => {
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
