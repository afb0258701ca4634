import { UNKNOWN_LISTING_FACTS, type ListingFacts, type Offer } from "@gpu-offers/domain";
import type { LiveSource, SourceItem } from "@gpu-offers/sources";
import { testOffer, testSource, type TestRow } from "@gpu-offers/testkit/live-source";
import { importCatalog, type ImportReport } from "../src/catalog-import.ts";
import type { Database } from "../src/database.ts";
import { saveSource } from "../src/live.store.ts";
import type { Reading } from "../src/observations.ts";

export async function* itemsOf(
  provider: string,
  offers: readonly Offer[],
  listing = UNKNOWN_LISTING_FACTS,
): AsyncGenerator<SourceItem> {
  const sample = listing.sample ? { sample: true as const } : {};
  yield { kind: "provider", where: "1", provider: { name: provider, type: "vm", images: [], ...sample } };
  for (const offer of offers) {
    yield { kind: "offer", listing, where: "2", offer };
  }
}

export const offersOf = (provider: string, rows: readonly TestRow[]): Offer[] =>
  rows.map((row) => testOffer(provider, row));

/** What a run read; `record` is called in its transaction. */
type TestReading = Partial<Reading> & { scopes?: string[]; record?: () => Promise<void>; listing?: ListingFacts };

/** A run of a live source, which knows stock. */
export function liveRun(
  database: Database,
  provider: string,
  rows: readonly TestRow[],
  at: string,
  reading: TestReading = {},
): Promise<ImportReport> {
  return liveRunOf(database, provider, offersOf(provider, rows), at, reading);
}

/** The same with offers. */
export function liveRunOf(
  database: Database,
  provider: string,
  offers: readonly Offer[],
  at: string,
  { scopes = [], record = async () => {}, listing, ...reading }: TestReading = {},
): Promise<ImportReport> {
  return importCatalog(database, {
    items: itemsOf(provider, offers, listing),
    cause: `live: ${provider}`,
    now: () => new Date(at),
    live: {
      sourceOf: () => provider,
      readingsOf: () => [{ scope: null, at, isComplete: true, knowsStock: true, ...reading }],
      scopesOf: () => scopes,
      emptied: [],
      keptScopes: [],
      record,
    },
  });
}

/** Enables live sources with an interval. */
export async function addSources(
  database: Database,
  kinds: Readonly<Record<string, LiveSource["kind"]>>,
  intervalMs: number,
): Promise<void> {
  const seconds = intervalMs / 1_000;
  const settings = { intervalSeconds: seconds, staleAfterSeconds: 3 * seconds, dropAfterSeconds: 9 * seconds };
  for (const [name, kind] of Object.entries(kinds)) {
    await saveSource(database, testSource(name, { kind }), settings, true);
  }
}
