import { randomBytes } from "node:crypto";
import type { Offer } from "@gpu-offers/domain";
import type { ProviderType, RefusalCode, SourceImage, SourceItem, SourceProvider } from "@gpu-offers/sources";
import type { Transaction } from "kysely";
import { findRevision, listProviders, type StoredImage } from "./catalog.store.js";
import { lockForWriting, type Database, type Tables } from "./database.js";

// Replaces the offers of the providers that an import names, all or nothing, while services read.
//
// The rows are first staged in a table that only this connection sees; nobody waits for that. Then one
// transaction compares, replaces and adds the revision that running services notice.

/** How many refused GPU rows an import may have: a number, or a share of its GPU rows in percent. */
export type RefusalLimit = { count: number } | { percent: number };

/** Limit when the operator names none. */
export const DEFAULT_REFUSAL_LIMIT: RefusalLimit = { percent: 20 };

/** What an import is told. */
export interface ImportOptions {
  /** Items of a parser of @gpu-offers/sources. */
  items: AsyncIterable<SourceItem>;
  /** What is written beside the revision, for people: the command and its file. */
  cause: string;
  /**
   * Set for a source that tells nothing of its providers: the one it is about (when it does not even
   * name it) and their type. Providers that are here keep their images, and their type if none is given.
   */
  about?: { provider?: string; type?: ProviderType };
  /** Date of the figures, asked for when all items are read; undefined when the source does not tell. */
  asOf?: () => string | undefined;
  limit?: RefusalLimit;
  /** Do everything, then change nothing. */
  isDryRun?: boolean;
  /** Called now and then with the number of rows read. */
  onProgress?: (rows: number) => void;
}

/** Refused rows of one kind. */
export interface RefusalCount {
  code: RefusalCode;
  count: number;
  /** The first of them, with where they stand and why. */
  first: { where: string; reason: string }[];
}

/** What an import did, or would have done. */
export interface ImportReport {
  outcome: "imported" | "unchanged" | "dry-run" | "refused";
  /** Why nothing was changed, when the outcome is `refused`. */
  problem?: string;
  /** The new revision, when there is one. */
  revision?: number;
  providers: string[];
  rows: { offers: number; refused: number; skipped: number };
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  refusals: RefusalCount[];
}

const ROWS_A_STAGE = 500;
const ROWS_A_PROGRESS = 1_000;
const FIRST_REFUSALS = 3;

/** Ends a transaction whose work is to be forgotten. */
class Rollback extends Error {}

/**
 * Imports a catalog. A refusal is an outcome of the report, not an error.
 * @throws SourceError when the file cannot be read as its format; nothing was changed.
 */
export async function importCatalog(database: Database, options: ImportOptions): Promise<ImportReport> {
  return database.connection().execute(async (connection) => {
    await createStage(connection);
    try {
      const staged = await stage(connection, options);
      const report = staged.report;
      const problem = findProblem(staged, options.limit ?? DEFAULT_REFUSAL_LIMIT);
      if (problem !== undefined) {
        return { ...report, outcome: "refused", problem };
      }
      return await apply(connection, staged, options);
    } finally {
      await connection.schema.dropTable("staged_offer").ifExists().execute();
    }
  });
}

/** Removes a provider with its images and offers. Undefined when there is no such provider. */
export async function removeProvider(
  database: Database,
  name: string,
  cause: string,
): Promise<{ revision: number; removed: number } | undefined> {
  return database.transaction().execute(async (transaction) => {
    await lockForWriting(transaction, "catalog_revision");
    const { numDeletedRows } = await transaction
      .deleteFrom("offer")
      .where("provider", "=", name)
      .executeTakeFirstOrThrow();
    await transaction.deleteFrom("os_image").where("provider", "=", name).execute();
    const provider = await transaction.deleteFrom("provider").where("name", "=", name).executeTakeFirstOrThrow();
    if (provider.numDeletedRows === 0n) {
      return undefined;
    }
    const removed = Number(numDeletedRows);
    return { removed, revision: await addRevision(transaction, cause, { added: 0, changed: 0, removed, refused: 0 }) };
  });
}

/** What an import says of a provider; undefined where it says nothing. */
interface StagedProvider {
  type: ProviderType | undefined;
  images?: StoredImage[];
}

interface Staged {
  providers: Map<string, StagedProvider>;
  /** Offers that were read, by provider. */
  offersOf: Map<string, number>;
  refusedGpuRows: number;
  report: ImportReport;
}

async function createStage(connection: Database): Promise<void> {
  await connection.schema.dropTable("staged_offer").ifExists().execute();
  await connection.schema
    .createTable("staged_offer")
    .temporary()
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("provider", "text", (column) => column.notNull())
    .addColumn("gpu_slug", "text", (column) => column.notNull())
    .addColumn("continent", "text", (column) => column.notNull())
    .addColumn("gpu_count", "integer", (column) => column.notNull())
    .addColumn("price_hourly", "double precision", (column) => column.notNull())
    .addColumn("price_per_gpu", "double precision", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .execute();
}

/** Reads all items into the stage, counting. */
async function stage(connection: Database, { items, about, onProgress }: ImportOptions): Promise<Staged> {
  const providers = new Map<string, StagedProvider>();
  if (about?.provider !== undefined) {
    providers.set(about.provider, { type: about.type });
  }
  const offersOf = new Map<string, number>();
  const refusals = new Map<RefusalCode, RefusalCount>();
  const rows = { offers: 0, refused: 0, skipped: 0 };
  let refusedGpuRows = 0;
  let read = 0;
  let batch: Tables["offer"][] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) {
      await connection.insertInto("staged_offer").values(batch).execute();
      batch = [];
    }
  };
  for await (const item of items) {
    switch (item.kind) {
      case "provider":
        providers.set(item.provider.name, about === undefined ? described(item.provider) : { type: about.type });
        continue;
      case "offer":
        rows.offers++;
        offersOf.set(item.offer.provider.name, (offersOf.get(item.offer.provider.name) ?? 0) + 1);
        batch.push(toRow(item.offer));
        break;
      case "refusal": {
        rows.refused++;
        refusedGpuRows += item.countsAsGpuRow ? 1 : 0;
        const known = refusals.get(item.code) ?? { code: item.code, count: 0, first: [] };
        known.count++;
        if (known.first.length < FIRST_REFUSALS) {
          known.first.push({ where: item.where, reason: item.reason });
        }
        refusals.set(item.code, known);
        break;
      }
      case "skipped":
        rows.skipped++;
        break;
    }
    if (batch.length >= ROWS_A_STAGE) {
      await flush();
    }
    if (++read % ROWS_A_PROGRESS === 0) {
      onProgress?.(read);
    }
  }
  await flush();
  onProgress?.(read);
  return {
    providers,
    offersOf,
    refusedGpuRows,
    report: {
      outcome: "imported",
      providers: [...providers.keys()].sort(),
      rows,
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: 0,
      refusals: [...refusals.values()].sort((a, b) => b.count - a.count),
    },
  };
}

function described({ type, images }: SourceProvider): StagedProvider {
  return { type, images: images.map(storedImage) };
}

function storedImage({ instanceTypes = [], ...image }: SourceImage): StoredImage {
  return { image, instanceTypes };
}

function toRow(offer: Offer): Tables["offer"] {
  return {
    id: offer.id,
    provider: offer.provider.name,
    gpu_slug: offer.gpu.slug,
    continent: offer.regionInfo.continent,
    gpu_count: offer.gpuCount,
    price_hourly: offer.priceHourly,
    price_per_gpu: offer.pricePerGpu,
    body: JSON.stringify(offer),
  };
}

/** Why what was read must not become the catalog; undefined when it may. */
function findProblem({ report, refusedGpuRows }: Staged, limit: RefusalLimit): string | undefined {
  const gpuRows = report.rows.offers + refusedGpuRows;
  const allowed = "count" in limit ? limit.count : (gpuRows * limit.percent) / 100;
  if (refusedGpuRows > allowed) {
    const named = "count" in limit ? `${limit.count}` : `${limit.percent} %`;
    return `${refusedGpuRows} of ${gpuRows} GPU rows were refused, more than the ${named} allowed (--max-rejected).`;
  }
  if (report.rows.offers === 0) {
    return "The file holds no offers. To empty a provider, use catalog remove.";
  }
  return undefined;
}

async function apply(connection: Database, staged: Staged, options: ImportOptions): Promise<ImportReport> {
  const report = { ...staged.report };
  try {
    await connection.transaction().execute(async (transaction) => {
      await lockForWriting(transaction, "catalog_revision");
      const problem = (await findEmptied(transaction, staged)) ?? (await findForeign(transaction));
      if (problem !== undefined) {
        report.outcome = "refused";
        report.problem = problem;
        throw new Rollback();
      }
      const areProvidersChanged = await replaceProviders(transaction, staged.providers, options.asOf?.() ?? null);
      Object.assign(report, await replaceOffers(transaction, report.providers));
      if (!areProvidersChanged && report.added + report.changed + report.removed === 0) {
        report.outcome = "unchanged";
        throw new Rollback();
      }
      if (options.isDryRun === true) {
        report.outcome = "dry-run";
        throw new Rollback();
      }
      report.revision = await addRevision(transaction, options.cause, { ...report, refused: report.rows.refused });
    });
  } catch (error) {
    if (!(error instanceof Rollback)) {
      throw error;
    }
  }
  return report;
}

/** A provider that has offers now and would have none afterwards: more likely a broken file than a wish. */
async function findEmptied(
  transaction: Transaction<Tables>,
  { report, offersOf }: Staged,
): Promise<string | undefined> {
  const missing = report.providers.filter((name) => !offersOf.has(name));
  for (const name of missing) {
    const { count } = await transaction
      .selectFrom("offer")
      .where("provider", "=", name)
      .select((select) => select.fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    if (Number(count) > 0) {
      return `The file names ${name} without any offer, and ${count} are here. To empty a provider, use catalog remove --provider ${name}.`;
    }
  }
  return undefined;
}

/** An id that another provider's offer has already. */
async function findForeign(transaction: Transaction<Tables>): Promise<string | undefined> {
  const row = await transaction
    .selectFrom("staged_offer")
    .innerJoin("offer", "offer.id", "staged_offer.id")
    .whereRef("offer.provider", "!=", "staged_offer.provider")
    .select(["offer.id", "offer.provider as owner", "staged_offer.provider"])
    .limit(1)
    .executeTakeFirst();
  return row && `Offer ${row.id} of ${row.provider} has the id of an offer of ${row.owner}.`;
}

/** Puts providers and their images in place; true when that changed anything. */
async function replaceProviders(
  transaction: Transaction<Tables>,
  providers: ReadonlyMap<string, StagedProvider>,
  asOf: string | null,
): Promise<boolean> {
  const before = new Map((await listProviders(transaction)).map((provider) => [provider.name, provider]));
  let isChanged = false;
  for (const [name, provider] of providers) {
    const known = before.get(name);
    const type = provider.type ?? known?.type ?? "vm";
    await transaction
      .insertInto("provider")
      .values({ name, type, as_of: asOf })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ type, as_of: asOf }))
      .execute();
    const images = provider.images ?? known?.images ?? [];
    if (known !== undefined && known.type === type && areSameImages(known.images, images)) {
      continue;
    }
    isChanged = true;
    await transaction.deleteFrom("os_image").where("provider", "=", name).execute();
    for (const { image, instanceTypes } of images) {
      await transaction
        .insertInto("os_image")
        .values({
          provider: name,
          id: image.id,
          body: JSON.stringify(image),
          instance_types: JSON.stringify(instanceTypes),
        })
        .execute();
    }
  }
  return isChanged;
}

function areSameImages(a: StoredImage[], b: StoredImage[]): boolean {
  const inOrder = (images: StoredImage[]): string =>
    JSON.stringify(images.toSorted((x, y) => (x.image.id < y.image.id ? -1 : 1)));
  return a.length === b.length && inOrder(a) === inOrder(b);
}

/** Makes the offers of the providers those of the stage. */
async function replaceOffers(
  transaction: Transaction<Tables>,
  providers: readonly string[],
): Promise<Pick<ImportReport, "added" | "changed" | "removed" | "unchanged">> {
  const stagedIds = transaction.selectFrom("staged_offer").select("id");
  const removed = await transaction
    .deleteFrom("offer")
    .where("provider", "in", providers)
    .where("id", "not in", stagedIds)
    .executeTakeFirstOrThrow();
  const changed = await transaction
    .deleteFrom("offer")
    .where("id", "in", (select) =>
      select
        .selectFrom("staged_offer")
        .innerJoin("offer as current", "current.id", "staged_offer.id")
        .whereRef("current.body", "!=", "staged_offer.body")
        .select("staged_offer.id"),
    )
    .executeTakeFirstOrThrow();
  const inserted = await transaction
    .insertInto("offer")
    .columns(["id", "provider", "gpu_slug", "continent", "gpu_count", "price_hourly", "price_per_gpu", "body"])
    .expression((select) =>
      select
        .selectFrom("staged_offer")
        .where("id", "not in", select.selectFrom("offer").select("id"))
        .select(["id", "provider", "gpu_slug", "continent", "gpu_count", "price_hourly", "price_per_gpu", "body"]),
    )
    .executeTakeFirstOrThrow();
  const { count } = await transaction
    .selectFrom("staged_offer")
    .select((select) => select.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  const changedCount = Number(changed.numDeletedRows);
  const added = Number(inserted.numInsertedOrUpdatedRows ?? 0n) - changedCount;
  return {
    added,
    changed: changedCount,
    removed: Number(removed.numDeletedRows),
    unchanged: Number(count) - added - changedCount,
  };
}

async function addRevision(
  transaction: Transaction<Tables>,
  cause: string,
  counts: Pick<Tables["catalog_revision"], "added" | "changed" | "removed" | "refused">,
): Promise<number> {
  const { added, changed, removed, refused } = counts;
  const row = await transaction
    .insertInto("catalog_revision")
    .values({
      mark: randomBytes(4).toString("hex"),
      created_at: new Date().toISOString(),
      cause,
      added,
      changed,
      removed,
      refused,
    })
    .returning("revision")
    .executeTakeFirstOrThrow();
  return row.revision;
}

/** Whether the database has no catalog and never had one. */
export async function isPristine(database: Database): Promise<boolean> {
  return (await findRevision(database)) === undefined;
}
