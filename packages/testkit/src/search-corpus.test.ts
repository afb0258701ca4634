import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readSearch, SearchCatalog, SearchIndex, positionsIn, type Searched } from "@gpu-offers/domain";
import { openCatalog } from "@gpu-offers/sources";
import { beforeAll, describe, expect, test } from "vitest";
import { findRealFile } from "./real-file.ts";
import { corpus, type CorpusSearch } from "./search-corpus.ts";

// What people type, on real catalogs and on the starter catalog: each search must find exactly the offers of a plain
// condition, through the index.

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
  "coreweave spot",
  "a100 lambda labs spot",
  "99999999999 gpus",
  "over 99999999999 gb",
  "verified hosts 3090",
  "community cloud 4090",
  "4x a100 80gb in germany under $8 an hour",
  "b200 japan or singapore",
  "containers only rtx 3090",
  "h100 in frankfurt",
  "lambda gh200",
  "mi300x x8",
  "h100 l4",
  "aws gcp",
  "us east 4 h100",
  "more than 8 h100",
  "h100 cheaper than 80 cents",
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

  /** What a text means, and what it finds. */
  find(text: string, takesSlips: boolean) {
    const parsed = readSearch(text, this.#catalog, { takesSlips });
    const options = { isSpot: parsed.wishes.spot === true };
    const indexed = positionsIn(this.#index.find(parsed.terms, options)).flatMap((at) => this.listings[at] ?? []);
    return { parsed, indexed };
  }
}

const cases = corpus.map((search) => [search.text, search.reading, search] as const);

const nameOf = ({ offer, instanceType }: Searched): string =>
  `${offer.gpuCount}x ${offer.gpu.name} ${offer.provider.name} ${offer.region} ${instanceType ?? ""} $${offer.pricePerGpu}`;

/** Doubts that depend on the offers. */
const OF_CATALOG = /^(?:it excludes|no (?:offer here|region has this code))/;
/** Of a name that a catalog may have. */
const UNKNOWN_NAME = /^nothing is called/;

/** Expects that a text finds what it means, and says so; returns how many offers that are. */
function expectSearch(catalog: Corpus, search: CorpusSearch): number {
  const wanted = new Set(catalog.listings.filter(search.meant));
  const { parsed, indexed } = catalog.find(search.text, search.isTyped);
  const extra = indexed.filter((listing) => !wanted.has(listing));
  const missing = [...wanted].filter((listing) => !indexed.includes(listing));
  const doubts = parsed.pieces
    .map(({ doubt = "" }) => doubt)
    .filter((doubt) => doubt !== "" && !OF_CATALOG.test(doubt) && (search.isDoubtful || !UNKNOWN_NAME.test(doubt)));
  expect({
    extra: extra.slice(0, 3).map(nameOf),
    missing: missing.slice(0, 3).map(nameOf),
    wishes: parsed.wishes,
    isDoubtful: doubts.length > 0,
    isUnknown: search.isUnknown && parsed.unknown.length > 0,
  }).toEqual({
    extra: [],
    missing: [],
    wishes: search.wishes,
    isDoubtful: search.isDoubtful,
    isUnknown: search.isUnknown,
  });
  return wanted.size;
}

test("the corpus has at least 400 searches of many kinds, each once", () => {
  const texts = new Set(corpus.map(({ text }) => text));
  expect(texts.size).toBe(corpus.length);
  expect(texts.size).toBeGreaterThanOrEqual(400);
  expect(new Set(corpus.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(12);
});

describe.skipIf(samples === undefined)("on real catalogs", () => {
  let catalog = new Corpus([]);
  beforeAll(async () => {
    catalog = new Corpus(await readSamples(samples ?? ""));
  });

  test.each(cases)("%j means: %s", (text, _, search) => {
    const found = expectSearch(catalog, search);
    expect(found > 0 || search.isUnknown || NONE.has(text)).toBe(true);
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

  test.each(cases)("%j means: %s", (_, __, search) => {
    expectSearch(catalog, search);
  });
});
