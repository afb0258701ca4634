import Sqlite from "better-sqlite3";
import { UNKNOWN_LISTING_FACTS, type ListingFacts, type Offer } from "@gpu-offers/domain";
import type { SourceItem } from "@gpu-offers/sources";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import { openDatabase } from "@gpu-offers/store/database";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

/** Providers of the catalog. */
const PROVIDERS = 25;

/** Six times as many as the SkyPilot catalogs of all clouds have together. */
const DISTINCT_TYPES = 3_000;

const HOUR_MS = 3_600_000;

/** A database of a catalog with everything that a filter can ask for, and hourly prices of all providers in the past. */
export async function makeLargeCatalog(offers: number, historyDays: number): Promise<string> {
  const path = tempDatabase();
  const database = await openDatabase(`sqlite:${path}`);
  try {
    await importCatalog(database, { items: items(offers), cause: "stress test" });
  } finally {
    await database.destroy();
  }
  addHistory(path, historyDays);
  return path;
}

async function* items(count: number): AsyncGenerator<SourceItem> {
  for (let number = 0; number < PROVIDERS; number++) {
    yield { kind: "provider", where: "start", provider: { name: `cloud-${number}`, type: "vm", images: [] } };
  }
  let number = 0;
  for (const offer of syntheticOffers(count)) {
    yield { kind: "offer", where: "row", offer: offered(offer, number), listing: stated(offer, number) };
    number += 1;
  }
}

function offered(offer: Offer, number: number): Offer {
  const name = `cloud-${number % PROVIDERS}`;
  return { ...offer, provider: { name, slug: name } };
}

function stated({ priceHourly }: Offer, number: number): ListingFacts {
  return {
    ...UNKNOWN_LISTING_FACTS,
    instanceType: `type-${number % DISTINCT_TYPES}`,
    seller: number % 3 === 0 ? "host" : "cloud",
    verified: number % 4 === 0 ? false : null,
    spot: number % 2 === 0 ? null : { priceHourly: Math.ceil(priceHourly * 300) / 1_000, kind: "price" },
  };
}

/** Repeats the observations of today in every hour of the past. */
function addHistory(path: string, days: number): void {
  const database = new Sqlite(path);
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const observe = database.prepare(
    "insert into observation (revision, provider, at, is_complete, knows_stock) select distinct 1, provider, ?, 1, 0 from offer",
  );
  const copy = database.prepare(
    "insert or ignore into market_point (gpu_slug, step, period, sellers, machines) select gpu_slug, ?, ?, sellers, machines from market_point where step = 'day' and period = (select max(period) from market_point where step = 'day')",
  );
  database.transaction(() => {
    for (let hour = 1; hour <= days * 24; hour++) {
      const at = new Date(now - hour * HOUR_MS).toISOString();
      observe.run(at);
      copy.run("hour", at.slice(0, 13));
      copy.run("day", at.slice(0, 10));
    }
  })();
  database.close();
}
