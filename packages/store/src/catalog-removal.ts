import type { Transaction } from "kysely";
import { addRevision } from "./catalog-revision.js";
import { countRows, kindOf, type Database } from "./database.js";
import { recordRemoval } from "./record-changes.js";
import type { Tables } from "./tables.js";

// Removals from the catalog: of a provider by its operator, and of the expired offers of a live source.

/** Removes a provider with its images and offers. Undefined if there is no such provider. */
export async function removeProvider(
  database: Database,
  name: string,
  cause: string,
  now = () => new Date(),
): Promise<{ revision: number; removed: number } | undefined> {
  return database.transaction().execute(async (transaction) => {
    await kindOf(transaction).lockForWriting(transaction, "catalog_revision");
    const known = await transaction.selectFrom("provider").where("name", "=", name).select("name").executeTakeFirst();
    if (known === undefined) {
      return undefined;
    }
    const removed = await countRows(transaction.selectFrom("offer").where("provider", "=", name));
    const counts = { added: 0, changed: 0, removed, rejected: 0 };
    const stamp = await addRevision(transaction, cause, counts, now().toISOString());
    await recordRemoval(transaction, { providers: [name] }, stamp);
    for (const table of ["offer", "gone_offer", "os_image"] as const) {
      await transaction.deleteFrom(table).where("provider", "=", name).execute();
    }
    await transaction.deleteFrom("provider").where("name", "=", name).execute();
    return { removed, revision: stamp.revision };
  });
}

/** Expired offers of a live source: all of them, or those of some scopes. */
export interface ExpiredOffers {
  scopes?: readonly string[];
  /** Stored with the revision. */
  cause: string;
}

/**
 * Removes expired offers of a live source. Its providers and their images stay. Returns the number of removed offers; if
 * there are none, no revision is added.
 * @param findExpired called in the transaction, because another process may just have confirmed the offers.
 */
export async function removeExpiredOffers(
  database: Database,
  source: string,
  findExpired: (transaction: Transaction<Tables>) => Promise<ExpiredOffers | undefined>,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await kindOf(transaction).lockForWriting(transaction, "catalog_revision");
    const found = await findExpired(transaction);
    if (found === undefined) {
      return 0;
    }
    const { scopes, cause } = found;
    const own = await transaction.selectFrom("provider").where("source", "=", source).select("name").execute();
    const providers = ["", ...own.map(({ name }) => name)];
    const offers = transaction.selectFrom("offer").where("provider", "in", providers);
    const removed = await countRows(scopes === undefined ? offers : offers.where("scope", "in", scopes));
    if (removed > 0) {
      const stamp = await addRevision(transaction, cause, { added: 0, changed: 0, removed, rejected: 0 });
      await recordRemoval(transaction, { providers, scopes }, stamp);
      for (const table of ["offer", "gone_offer"] as const) {
        await transaction
          .deleteFrom(table)
          .where("provider", "in", providers)
          .$if(scopes !== undefined, (query) => query.where("scope", "in", scopes ?? []))
          .execute();
      }
    }
    return removed;
  });
}
