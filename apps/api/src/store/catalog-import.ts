import { randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import { findRevision, listProviders, type StoredImage } from "./catalog.store.js";
import { lockForWriting, type Database } from "./database.js";
import { DEFAULT_REFUSAL_LIMIT, findConflict, findProblem, type RefusalLimit } from "./import-problem.js";
import { OFFER_COLUMNS } from "./offer-row.js";
import {
  createStage,
  dropStage,
  fillStage,
  type RefusalCount,
  type Staged,
  type StagedProvider,
  type StageOptions,
} from "./offer-stage.js";
import type { Tables } from "./tables.js";

// Replaces the offers of the providers that an import names, all or nothing, while services read.
//
// The rows are staged first (offer-stage.ts). Then one transaction compares, replaces and adds the
// revision that running services notice.

/** What an import is told. */
export interface ImportOptions extends StageOptions {
  /** What is written beside the revision, for people: the command and its file. */
  cause: string;
  /** Date of the figures, asked for when all items are read; undefined when the source does not tell. */
  asOf?: () => string | undefined;
  limit?: RefusalLimit;
  /** Do everything, then change nothing. */
  isDryRun?: boolean;
  /** Refuse when there is or was a catalog already, even one that came while this one was read. */
  isFirst?: boolean;
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
      const staged = await fillStage(connection, options);
      const report = emptyReport(staged);
      const problem = findProblem(staged, options.limit ?? DEFAULT_REFUSAL_LIMIT);
      if (problem !== undefined) {
        return { ...report, outcome: "refused", problem };
      }
      return await apply(connection, staged, report, options);
    } finally {
      await dropStage(connection);
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

function emptyReport({ providers, rows, refusals }: Staged): ImportReport {
  return {
    outcome: "imported",
    providers: [...providers.keys()].sort(),
    rows,
    added: 0,
    changed: 0,
    removed: 0,
    unchanged: 0,
    refusals,
  };
}

async function apply(
  connection: Database,
  staged: Staged,
  report: ImportReport,
  options: ImportOptions,
): Promise<ImportReport> {
  try {
    await connection.transaction().execute(async (transaction) => {
      await lockForWriting(transaction, "catalog_revision");
      const problem =
        (options.isFirst === true && !(await isPristine(transaction)) ? "There is a catalog already." : undefined) ??
        (await findConflict(transaction, staged));
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

/** Puts providers and their images in place; true when that changed anything. */
async function replaceProviders(
  transaction: Transaction<Tables>,
  providers: ReadonlyMap<string, StagedProvider>,
  sourceAsOf: string | null,
): Promise<boolean> {
  const before = new Map((await listProviders(transaction)).map((provider) => [provider.name, provider]));
  let isChanged = false;
  for (const [name, provider] of providers) {
    const known = before.get(name);
    const type = provider.type ?? known?.type ?? "vm";
    const asOf = provider.asOf === undefined ? sourceAsOf : provider.asOf;
    isChanged ||= known === undefined || known.type !== type || known.asOf !== asOf;
    await transaction
      .insertInto("provider")
      .values({ name, type, as_of: asOf })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ type, as_of: asOf }))
      .execute();
    const images = provider.images ?? known?.images ?? [];
    if (known !== undefined && areSameImages(known.images, images)) {
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
    .columns(OFFER_COLUMNS)
    .expression((select) =>
      select
        .selectFrom("staged_offer")
        .where("id", "not in", select.selectFrom("offer").select("id"))
        .select(OFFER_COLUMNS),
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
