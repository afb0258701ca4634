import { compileSearch, gpuModels, type Offer } from "@gpu-offers/domain";
import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { highlighted } from "../src/text/pieces.ts";
import { searchPatterns } from "../src/screen/search-patterns.ts";

/** The parts of texts that a search lights. */
function litBy(search: string): (text: string) => string[] {
  const patterns = searchPatterns(compileSearch(search).parsed.terms);
  return (text) =>
    highlighted(text, patterns, "plain").flatMap(({ role, text: lit }) => (role === "match" ? [lit] : []));
}

const lit = (text: string, search: string): string[] => litBy(search)(text);

describe("the words of a search in a row", () => {
  const row = "8× H100 SXM 80G   lambda   CA CANADA-1   2.8000  22.4080";

  test.each<[string, string[]]>([
    ["h100-sxm", ["H100 SXM"]],
    ["8xh100sxm", ["H100 SXM"]],
    ["ada", []],
    ["ca", ["CA", "CA"]],
    ["lambda !canada", ["lambda"]],
    ["8", ["8"]],
    ["80", ["80"]],
    ["40", []],
    ["h10", []],
    ["H100", ["H100 SXM"]],
    ["Sxm", ["H100 SXM"]],
    ['"h100 sxm"', ["H100 SXM"]],
    ["<3 lamb|canada", ["lamb", "CA"]],
  ])("%s lights %j", (search, texts) => {
    expect(lit(row, search)).toEqual(texts);
  });

  test("may be longer than a regular expression", () => {
    expect(lit(row, `h100|${"a".repeat(100_000)}`)).toEqual(["H100 SXM"]);
  });

  test("highlight the name of a GPU if and only if the search finds it there", () => {
    const names = gpuModels.map(({ name }) => name).filter((_, index) => index % 6 === 0);
    const words = names
      .flatMap((name) => [name, ...name.split(" "), name.slice(1), name.slice(0, -1)])
      .flatMap((name) => [name.replaceAll(" ", "-"), name.replaceAll(" ", "").toLowerCase()])
      // Two letters are also codes of places and starts of names.
      .filter((word) => word.length > 2 && compileSearch(word).parsed.terms.every(({ kind }) => kind === "word"));
    expect(names.length).toBeGreaterThan(10);
    const offers = names.map((name): Offer =>
      exampleOffer({
        gpu: { name, slug: "unknown", vramGB: 9999, architecture: "-" },
        region: "-",
        provider: { name: "-", slug: "-" },
        regionInfo: { countryCode: "QQ", countryName: "-", cityState: "", continent: "-" },
      }),
    );
    for (const word of new Set(words)) {
      const found = offers.filter(compileSearch(word)).map(({ gpu }) => gpu.name);
      const litOf = litBy(word);
      expect([word, names.filter((name) => litOf(name).length > 0)]).toEqual([word, found]);
    }
  });
});
