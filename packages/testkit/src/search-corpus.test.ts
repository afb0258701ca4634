import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { compileTerms, readSearch, SearchCatalog, SearchIndex, positionsIn, type Searched } from "@gpu-offers/domain";
import { openCatalog } from "@gpu-offers/sources";
import { beforeAll, describe, expect, test } from "vitest";
import { findRealFile } from "./real-file.ts";
import { corpus, freshSearches, type CorpusSearch } from "./search-corpus.ts";

// What people type, on real catalogs and on the starter catalog: each search must find exactly the offers of a plain
// condition, through the index and offer by offer.

const STARTER = new URL("../../../apps/api/catalog/starter.json", import.meta.url);
const samples = findRealFile("data/skypilot-catalog");

/** Searches without matches in the samples: they have no such offers. */
const NONE = new Set([
  "bare metal",
  "h100 bare metal",
  "h100 uk",
  "mi300x",
  "amd mi300x",
  "3090 ti",
  "1080 ti",
  "2 euro h100",
  "h100 under €2/h",
  "h100 <3 gbp",
]);

async function readFile(path: string): Promise<Searched[]> {
  const { items } = await openCatalog(createReadStream(path), { path });
  const found: Searched[] = [];
  for await (const item of items) {
    if (item.kind === "offer") {
      found.push({ offer: item.offer, ...item.listing });
    }
  }
  return found;
}

async function readSamples(folder: string): Promise<Searched[]> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".csv")).sort();
  return (await Promise.all(files.map((name) => readFile(join(folder, name))))).flat();
}

class Corpus {
  readonly listings: readonly Searched[];
  readonly #index: SearchIndex;
  readonly #catalog: SearchCatalog;

  constructor(listings: readonly Searched[]) {
    this.listings = listings;
    this.#index = SearchIndex.of(listings);
    this.#catalog = new SearchCatalog(this.#index);
  }

  /** What a text finds, by the index and by a test of each offer. */
  find(text: string, takesSlips: boolean): { indexed: Searched[]; tested: Searched[] } {
    const { terms, wishes } = readSearch(text, this.#catalog, { takesSlips });
    const options = { isSpot: wishes.spot === true };
    const holds = compileTerms(terms, options);
    const indexed = positionsIn(this.#index.find(terms, options)).flatMap((position) => this.listings[position] ?? []);
    return { indexed, tested: this.listings.filter((listing) => holds(listing)) };
  }
}

const cases = corpus.flatMap(({ texts, ...search }) => texts.map((text) => [text, search.reading, search] as const));

const nameOf = ({ offer, instanceType }: Searched): string =>
  `${offer.gpuCount}x ${offer.gpu.name} ${offer.provider.name} ${offer.region} ${instanceType ?? ""} $${offer.pricePerGpu}`;

/** Expects that a text finds what it means, and returns how many offers that are. */
function expectSearch(catalog: Corpus, text: string, { meant, isTyped }: Omit<CorpusSearch, "texts">): number {
  const wanted = new Set(catalog.listings.filter(meant));
  const { indexed, tested } = catalog.find(text, isTyped);
  const extra = indexed.filter((listing) => !wanted.has(listing));
  const missing = [...wanted].filter((listing) => !indexed.includes(listing));
  expect({ extra: extra.slice(0, 3).map(nameOf), missing: missing.slice(0, 3).map(nameOf) }).toEqual({
    extra: [],
    missing: [],
  });
  expect(tested).toEqual(indexed);
  return wanted.size;
}

test("the corpus has at least 300 searches, a third of them written before the grammar", () => {
  const distinct = (searches: typeof corpus): number => new Set(searches.flatMap(({ texts }) => texts)).size;
  expect(distinct(corpus)).toBeGreaterThanOrEqual(300);
  expect(distinct(freshSearches)).toBeGreaterThanOrEqual(100);
});

describe.skipIf(samples === undefined)("on real catalogs", () => {
  let catalog = new Corpus([]);
  beforeAll(async () => {
    catalog = new Corpus(await readSamples(samples ?? ""));
  });

  test.each(cases)("%j means: %s", (text, _, search) => {
    expect(expectSearch(catalog, text, search) > 0).toBe(!NONE.has(text));
  });

  test("every instance type is found by its name", () => {
    const types = Map.groupBy(catalog.listings, ({ instanceType }) => instanceType ?? "");
    types.delete("");
    expect(types.size).toBeGreaterThan(150);
    for (const [type, listings] of types) {
      const found = new Set(catalog.find(type, false).indexed);
      expect([type, listings.filter((listing) => !found.has(listing)).length]).toEqual([type, 0]);
    }
  });
});

describe("on the starter catalog, which has few offers", () => {
  let catalog = new Corpus([]);
  beforeAll(async () => {
    catalog = new Corpus(await readFile(STARTER.pathname));
  });

  test.each(cases)("%j means: %s", (text, _, search) => {
    expectSearch(catalog, text, search);
  });
});
