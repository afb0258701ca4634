import { MAX_PRICE_CHANGES, type Offer, type PriceHistory, type PricePoint } from "@gpu-offers/domain";
import type { Database } from "./database.js";
import { findHistoryStart, listChanges, type OfferChange } from "./offer-history.js";

// The price history of one offer, from the log of changes. Reads a bounded number of rows by an index.

const PRICE_KINDS = ["added", "removed", "price"] as const;

/** The price histories of all offers. */
export class PriceHistoryStore {
  constructor(private readonly database: Database) {}

  /** The price history of an offer; undefined if the log has no such offer. */
  async find(offer: string): Promise<PriceHistory | undefined> {
    const changes = await listChanges(this.database, {
      offerId: offer,
      kinds: PRICE_KINDS,
      limit: MAX_PRICE_CHANGES + 1,
      isLatest: true,
    });
    const isComplete = changes.length <= MAX_PRICE_CHANGES;
    const latest = changes.slice(-MAX_PRICE_CHANGES).map(pointOf);
    const base = await findBasePoint(this.database, offer);
    const prices = isComplete && base !== undefined ? [base, ...latest] : latest;
    const trackedSince = base?.at ?? (await findFirstTime(this.database, offer)) ?? prices[0]?.at;
    return trackedSince === undefined ? undefined : { offer, trackedSince, isComplete, prices };
  }

  /** Whether an offer is of a sample, which enters no history. */
  async isSample(offer: string): Promise<boolean> {
    const found = await this.database
      .selectFrom("offer")
      .innerJoin("provider", "provider.name", "offer.provider")
      .where("offer.id", "=", offer)
      .where("is_sample", "=", 1)
      .select("offer.id")
      .executeTakeFirst();
    return found !== undefined;
  }
}

function pointOf({ at, kind, after }: OfferChange): PricePoint {
  return { at, priceHourly: kind === "removed" ? null : priceOf(after) };
}

/** The price in a whole offer or a price change. */
function priceOf(fields: Partial<Offer> | null): number {
  if (fields?.priceHourly === undefined) {
    throw new Error("A price change in the log has no price.");
  }
  return fields.priceHourly;
}

/** The offer's price where the log was truncated. */
async function findBasePoint(database: Database, offer: string): Promise<PricePoint | undefined> {
  const start = await findHistoryStart(database);
  const row = await database.selectFrom("offer_base").where("id", "=", offer).select("body").executeTakeFirst();
  return start && row && { at: start.at, priceHourly: priceOf(JSON.parse(row.body) as Offer) };
}

async function findFirstTime(database: Database, offer: string): Promise<string | undefined> {
  const query = database.selectFrom("offer_change").where("offer_id", "=", offer).orderBy("id").limit(1);
  return (await query.select("at").executeTakeFirst())?.at;
}
