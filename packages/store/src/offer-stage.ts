import type { Offer } from "@gpu-offers/domain";
import {
  compareDuplicates,
  duplicateItem,
  type OfferItem,
  type ProviderType,
  type RejectionCode,
  type RejectionItem,
  type SourceImage,
  type SourceItem,
  type SourceProvider,
} from "@gpu-offers/sources";
import { sql } from "kysely";
import type { StoredImage } from "./catalog.store.js";
import type { Database } from "./database.js";
import { FindingsCollector, type Findings } from "./import-findings.js";
import { readFacts, toStoredOffer, type StoredOffer } from "./offer-row.js";

// The first half of an import: reads a source into a temporary table of this connection. It takes no locks, and holds
// no more than a batch of offers in memory.

/** Options of staging. */
export interface StageOptions {
  /** Items of a parser of @gpu-offers/sources. */
  items: AsyncIterable<SourceItem & { scope?: string }>;
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
  images?: StoredImage[];
  /** If unset, the date of the whole source applies. */
  asOf?: string | null;
}

/** Rejected rows of one kind. */
export interface RejectionCount {
  code: RejectionCode;
  count: number;
  /** The first ones, with place and reason. */
  first: { where: string; reason: string }[];
}

/** Result of staging. The offers are in the table `staged_offer`. */
export interface Staged {
  providers: Map<string, StagedProvider>;
  /** Providers with at least one offer. */
  withOffers: Set<string>;
  rows: { offers: number; rejected: number; skipped: number };
  /** Rejected rows that may have been GPU offers; they count against the limit. */
  rejectedGpuRows: number;
  /** The most frequent first. */
  rejections: RejectionCount[];
  findings: Findings;
}

const ROWS_A_BATCH = 500;
const ROWS_A_PROGRESS = 1_000;
const SHOWN_REJECTIONS = 3;

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

/** Reads all items: offers go to the table, the rest is returned. */
export async function fillStage(connection: Database, options: StageOptions): Promise<Staged> {
  const { items, about, isStockKnown = false, onProgress } = options;
  const collector = new FindingsCollector();
  const staged: Staged = {
    providers: new Map(about?.provider === undefined ? [] : [[about.provider, { type: about.type }]]),
    withOffers: new Set(),
    rows: { offers: 0, rejected: 0, skipped: 0 },
    rejectedGpuRows: 0,
    rejections: [],
    findings: collector.list(),
  };
  let read = 0;
  let batch: StoredOffer[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) {
      await connection.insertInto("staged_offer").values(batch).execute();
      batch = [];
    }
  };
  for await (const item of items) {
    switch (item.kind) {
      case "provider":
        staged.providers.set(item.provider.name, about === undefined ? described(item.provider) : { type: about.type });
        continue;
      case "offer":
        if (item.duplicateOf !== undefined) {
          await flush();
          countRejection(staged, await settle(connection, item, item.duplicateOf));
          break;
        }
        countOffer(staged, item.offer);
        collector.addOffer(item);
        batch.push(toStoredOffer(item.offer, item.scope, item.listing));
        break;
      case "rejection":
        countRejection(staged, item);
        if (item.gpuName !== undefined) {
          collector.addUnknownGpu(item.gpuName);
        }
        break;
      case "skipped":
        staged.rows.skipped++;
        break;
    }
    if (batch.length >= ROWS_A_BATCH) {
      await flush();
    }
    if (++read % ROWS_A_PROGRESS === 0) {
      onProgress?.(read);
    }
  }
  await flush();
  onProgress?.(read);
  staged.rejections.sort((a, b) => b.count - a.count);
  staged.findings = collector.list();
  if (isStockKnown) {
    staged.findings.crossProducts = [];
  }
  await withdrawAvailability(connection, staged.findings, collector);
  return staged;
}

/** Keeps the better of two offers with the same id, and rejects the other. */
async function settle(connection: Database, item: OfferItem, duplicateOf: string): Promise<RejectionItem> {
  const staged = connection.selectFrom("staged_offer").where("id", "=", item.offer.id).select(["body", "listing"]);
  const row = await staged.executeTakeFirstOrThrow();
  // Staged offers are validated.
  const earlier: OfferItem = {
    ...item,
    where: duplicateOf,
    offer: JSON.parse(row.body) as Offer,
    listing: readFacts(row),
  };
  if (compareDuplicates(earlier, item) <= 0) {
    return duplicateItem(item, earlier);
  }
  const better = toStoredOffer(item.offer, null, item.listing);
  await connection.updateTable("staged_offer").set(better).where("id", "=", item.offer.id).execute();
  return duplicateItem(earlier, item);
}

/**
 * Marks offers of cross products as unavailable, because their rows don't show what is sold where. Readers have done so
 * unless the source is too large to be held in memory.
 */
async function withdrawAvailability(
  connection: Database,
  findings: Findings,
  collector: FindingsCollector,
): Promise<void> {
  for (const { provider } of findings.crossProducts) {
    const available = collector.availableOf(provider);
    if (available === 0) {
      continue;
    }
    await connection
      .updateTable("staged_offer")
      // Quotes inside a text are escaped in JSON, so this only matches the field itself.
      .set({ body: sql<string>`replace(body, '"isAvailable":true', '"isAvailable":false')` })
      .where("provider", "=", provider)
      .execute();
    findings.available -= available;
  }
}

function countOffer({ rows, withOffers }: Staged, offer: Offer): void {
  rows.offers++;
  withOffers.add(offer.provider.name);
}

function countRejection(staged: Staged, item: RejectionItem): void {
  staged.rows.rejected++;
  staged.rejectedGpuRows += item.countsAsGpuRow ? 1 : 0;
  let known = staged.rejections.find(({ code }) => code === item.code);
  if (known === undefined) {
    known = { code: item.code, count: 0, first: [] };
    staged.rejections.push(known);
  }
  known.count++;
  if (known.first.length < SHOWN_REJECTIONS) {
    known.first.push({ where: item.where, reason: item.reason });
  }
}

function described({ type, images, asOf }: SourceProvider): StagedProvider {
  return {
    type,
    ...(images === undefined ? {} : { images: images.map(storedImage) }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

function storedImage({ instanceTypes = [], ...image }: SourceImage): StoredImage {
  return { image, instanceTypes };
}
