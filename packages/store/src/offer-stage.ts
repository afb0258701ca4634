import {
  type OfferItem,
  type ProviderType,
  type RejectionItem,
  type SourceItem,
  compareDuplicates,
  duplicateItem,
} from "@gpu-offers/sources";
import type { Database } from "./database.js";
import { FindingsCollector, type Findings } from "./import-findings.js";
import { UNKNOWN_LISTING_FACTS, type Offer, type RestrictedImage } from "@gpu-offers/domain";
import { sql } from "kysely";
import * as z from "zod";
import { readFacts, toStoredOffer, type StoredOffer } from "./offer-row.js";

// The first half of an import: reads a source into a temporary table of this connection. It takes no locks, and holds
// no more than a batch of offers in memory.

export interface StageOptions {
  /** Items of a parser of @gpu-offers/sources. */
  items: AsyncIterable<SourceItem & { scope?: string }> | Iterable<SourceItem & { scope?: string }>;
  /**
   * Set for sources without provider details: the provider's name (if the source has none) and type. Existing providers
   * keep their images, and their type if none is given.
   */
  about?: { provider?: string; type?: ProviderType };
  /** Whether the source states the availability of each offer, so that cross products needn't be detected. */
  isStockKnown?: boolean;
  /** Called periodically with the number of rows read. */
  onProgress?: (rows: number) => void;
}

/** A provider as the source describes it; fields that it doesn't state are undefined. */
export interface StagedProvider {
  type: ProviderType | undefined;
  images?: readonly RestrictedImage[] | undefined;
  /** If unset, the date of the whole source applies. */
  asOf?: string | null | undefined;
  /** Set if its offers are a sample. */
  sample?: true | undefined;
}

/** Rejected rows of one kind, with the place and reason of the first ones. */
export const rejectionCountSchema = z.strictObject({
  code: z.string(),
  count: z.int(),
  first: z.array(z.strictObject({ where: z.string(), reason: z.string() })),
});
export type RejectionCount = z.output<typeof rejectionCountSchema>;

/** Result of staging. The offers are in the table `staged_offer`. */
export interface Staged {
  providers: Map<string, StagedProvider>;
  withOffers: Set<string>;
  rows: { offers: number; rejected: number; skipped: number };
  /** Rejected rows that may have been GPU offers; they count against the limit. */
  rejectedGpuRows: number;
  /** The most frequent first. */
  rejections: RejectionCount[];
  /** What the reader says about the source besides, such as a currency that it assumed. */
  notes: string[];
  findings: Findings;
}

const ROWS_A_PROGRESS = 1_000;
const SHOWN_REJECTIONS = 3;

/** Reads all items: offers go to the table, the rest is returned. */
export async function fillStage(connection: Database, options: StageOptions): Promise<Staged> {
  const { items, about, isStockKnown = false, onProgress } = options;
  const offers = new StagedOffers(connection);
  const collector = new FindingsCollector();
  const staged: Staged = {
    providers: new Map(about?.provider === undefined ? [] : [[about.provider, { type: about.type }]]),
    withOffers: new Set(),
    rows: { offers: 0, rejected: 0, skipped: 0 },
    rejectedGpuRows: 0,
    rejections: [],
    notes: [],
    findings: collector.list(),
  };
  let read = 0;
  for await (const item of items) {
    switch (item.kind) {
      case "provider":
        staged.providers.set(item.provider.name, about === undefined ? { ...item.provider } : { type: about.type });
        continue;
      case "offer":
        if (item.duplicateOf === undefined) {
          countOffer(staged, item);
          collector.addOffer(item);
          await offers.add(item);
        } else {
          addRejection(staged, await offers.settle(item, item.duplicateOf));
        }
        break;
      case "rejection":
        addRejection(staged, item);
        if (item.gpuName !== undefined) {
          collector.addUnknownGpu(item.gpuName, item.gpuMemoryGb);
        }
        break;
      case "skipped":
        staged.rows.skipped++;
        break;
      case "note":
        staged.notes.push(item.note);
        continue;
    }
    if (++read % ROWS_A_PROGRESS === 0) {
      onProgress?.(read);
    }
  }
  await offers.flush();
  onProgress?.(read);
  staged.rejections.sort((a, b) => b.count - a.count);
  const cross_products = isStockKnown ? [] : collector.list().cross_products;
  for (const { provider } of cross_products) {
    if (collector.withdraw(provider) > 0) {
      await offers.withdraw(provider);
    }
  }
  staged.findings = { ...collector.list(), cross_products };
  return staged;
}

function countOffer({ rows, withOffers, providers }: Staged, { offer, listing }: OfferItem): void {
  rows.offers++;
  withOffers.add(offer.provider.name);
  const provider = providers.get(offer.provider.name);
  if (listing.sample && provider !== undefined) {
    provider.sample = true;
  }
}

function addRejection(staged: Staged, item: RejectionItem): void {
  staged.rows.rejected++;
  staged.rejectedGpuRows += item.countsAsGpuRow ? 1 : 0;
  countRejection(staged.rejections, item);
}

export function countRejection(rejections: RejectionCount[], item: RejectionItem): void {
  const known = rejections.find(({ code }) => code === item.code) ?? { code: item.code, count: 0, first: [] };
  if (known.count++ === 0) {
    rejections.push(known);
  }
  if (known.first.length < SHOWN_REJECTIONS) {
    known.first.push({ where: item.where, reason: item.reason });
  }
}

const ROWS_A_BATCH = 500;

/** The facts of an offer of which nothing is known, not even whether it is sold there. */
const NO_STOCK = JSON.stringify({ ...UNKNOWN_LISTING_FACTS, availability: "unknown" });

/** Creates the empty table. */
export async function createStage(connection: Database): Promise<void> {
  await dropStage(connection);
  await sql`create temporary table staged_offer as select * from offer where 1 = 0`.execute(connection);
  await sql`create unique index staged_offer_id on staged_offer (id)`.execute(connection);
}

/** Removes the table. */
export async function dropStage(connection: Database): Promise<void> {
  await sql`drop table if exists staged_offer`.execute(connection);
}

/** Writes offers to the table, a batch at a time. */
class StagedOffers {
  #batch: StoredOffer[] = [];

  constructor(private readonly connection: Database) {}

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
    const row = await this.connection
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
    await this.connection.updateTable("staged_offer").set(better).where("id", "=", item.offer.id).execute();
    return duplicateItem(earlier, item);
  }

  /**
   * Marks a provider's offers as unavailable: those of a cross product, whose rows don't show what is sold where. Readers
   * have done so unless the source is too large to be held in memory.
   */
  async withdraw(provider: string): Promise<void> {
    await this.connection
      .updateTable("staged_offer")
      // Quotes inside a text are escaped in JSON, so this only matches the field itself.
      .set({
        body: sql<string>`replace(body, '"isAvailable":true', '"isAvailable":false')`,
        listing: sql<string>`coalesce(replace(listing, '"availability":null', '"availability":"unknown"'), ${NO_STOCK})`,
      })
      .where("provider", "=", provider)
      .execute();
  }

  async flush(): Promise<void> {
    if (this.#batch.length > 0) {
      await this.connection.insertInto("staged_offer").values(this.#batch).execute();
      this.#batch = [];
    }
  }
}
