import { randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import type { Tables } from "./tables.js";

/** Adds the revision of a change of the catalog, which running services notice. Call it under the lock of `catalog_revision`. */
export async function addRevision(
  transaction: Transaction<Tables>,
  cause: string,
  counts: { added: number; changed: number; removed: number; rejected: number },
  at = new Date().toISOString(),
): Promise<{ revision: number; at: string }> {
  const { added, changed, removed, rejected } = counts;
  const row = await transaction
    .insertInto("catalog_revision")
    .values({
      mark: randomBytes(4).toString("hex"),
      created_at: at,
      cause,
      added,
      changed,
      removed,
      refused: rejected,
    })
    .returning("revision")
    .executeTakeFirstOrThrow();
  return { revision: row.revision, at };
}

const LIVE = "live: ";

/** Pattern for SQL's `like`: the causes of {@link liveCause}. */
export const LIVE_CAUSES = `${LIVE}%`;

/** The cause of a revision of live sources. @param detail their names, and why the catalog changed if not by a run. */
export function liveCause(detail: string): string {
  return `${LIVE}${detail}`;
}
