import { UNKNOWN_LISTING_FACTS, type Offer } from "@gpu-offers/domain";
import { compareDuplicates, duplicateItem, type OfferItem, type RejectionItem } from "@gpu-offers/sources";
import { sql } from "kysely";
import type { Database } from "./database.js";
import { readFacts, toStoredOffer, type StoredOffer } from "./offer-row.js";

// The temporary table of an import, `staged_offer`, of one connection.

const ROWS_A_BATCH = 500;

/** The facts of an offer of which nothing is known, not even whether it is sold there. */
const NO_STOCK = JSON.stringify({ ...UNKNOWN_LISTING_FACTS, availability: "unknown" });

/** Creates the empty table. */
export async function createStage(connection: Database): Promise<void> {
  await dropStage(connection);
  await connection.schema
    .createTable("staged_offer")
    .temporary()
    .as(
      connection
        .selectFrom("offer")
        .selectAll()
        .where(sql<boolean>`1 = 0`),
    )
    .execute();
  await connection.schema.createIndex("staged_offer_id").unique().on("staged_offer").column("id").execute();
}

/** Removes the table. */
export async function dropStage(connection: Database): Promise<void> {
  await connection.schema.dropTable("staged_offer").ifExists().execute();
}

/** Writes offers to the table, a batch at a time. */
export class StagedOffers {
  readonly #connection: Database;
  #batch: StoredOffer[] = [];

  constructor(connection: Database) {
    this.#connection = connection;
  }

  /** Adds an offer whose id is new. */
  async add({ offer, scope, listing }: OfferItem & { scope?: string }): Promise<void> {
    this.#batch.push(toStoredOffer(offer, scope, listing));
    if (this.#batch.length >= ROWS_A_BATCH) {
      await this.flush();
    }
  }

  /**
   * Keeps the better of two offers with the same id, and rejects the other.
   * @param duplicateOf place of the earlier one.
   */
  async settle(item: OfferItem, duplicateOf: string): Promise<RejectionItem> {
    await this.flush();
    const row = await this.#connection
      .selectFrom("staged_offer")
      .where("id", "=", item.offer.id)
      .select(["body", "listing"])
      .executeTakeFirstOrThrow();
    // Staged offers are validated.
    const offer = JSON.parse(row.body) as Offer;
    const earlier: OfferItem = { ...item, where: duplicateOf, offer, listing: readFacts(row) };
    if (compareDuplicates(earlier, item) <= 0) {
      return duplicateItem(item, earlier);
    }
    const better = toStoredOffer(item.offer, null, item.listing);
    await this.#connection.updateTable("staged_offer").set(better).where("id", "=", item.offer.id).execute();
    return duplicateItem(earlier, item);
  }

  /**
   * Marks a provider's offers as unavailable: those of a cross product, whose rows don't show what is sold where. Readers
   * have done so unless the source is too large to be held in memory.
   */
  async withdraw(provider: string): Promise<void> {
    await this.#connection
      .updateTable("staged_offer")
      // Quotes inside a text are escaped in JSON, so this only matches the field itself.
      .set({
        body: sql<string>`replace(body, '"isAvailable":true', '"isAvailable":false')`,
        listing: sql<string>`coalesce(replace(listing, '"availability":null', '"availability":"unknown"'), ${NO_STOCK})`,
      })
      .where("provider", "=", provider)
      .execute();
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    if (this.#batch.length > 0) {
      await this.#connection.insertInto("staged_offer").values(this.#batch).execute();
      this.#batch = [];
    }
  }
}
