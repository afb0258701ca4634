import type { Transaction } from "kysely";
import type { Staged } from "./offer-stage.js";
import type { Tables } from "./tables.js";

// Why what an import has read must not become the catalog, though it could be read.

/** How many rejected GPU rows an import may have: a number, or a share of its GPU rows in percent. */
export type RejectionLimit = { count: number } | { percent: number };

/** Limit when the operator names none. */
export const DEFAULT_REFUSAL_LIMIT: RejectionLimit = { percent: 20 };

/** What is wrong with what was read, whatever the catalog is; undefined when nothing is. */
export function findProblem({ rows, rejectedGpuRows }: Staged, limit: RejectionLimit): string | undefined {
  const gpuRows = rows.offers + rejectedGpuRows;
  const allowed = "count" in limit ? limit.count : (gpuRows * limit.percent) / 100;
  if (rejectedGpuRows > allowed) {
    const named = "count" in limit ? `${limit.count}` : `${limit.percent} %`;
    return `${rejectedGpuRows} of ${gpuRows} GPU rows were rejected, more than the ${named} allowed (--max-rejected).`;
  }
  if (rows.offers === 0) {
    return "The file holds no offers. To empty a provider, use catalog remove.";
  }
  return undefined;
}

/** What is wrong with what was read beside the catalog that is there; undefined when nothing is. */
export async function findConflict(
  transaction: Transaction<Tables>,
  staged: Staged,
  { isLive, isForced }: { isLive: boolean; isForced: boolean },
): Promise<string | undefined> {
  return (
    (isLive ? undefined : await findEmptied(transaction, staged)) ??
    (isLive || isForced ? undefined : await findOwned(transaction, staged)) ??
    (await findForeign(transaction))
  );
}

/** A provider that an enabled live source keeps up to date: its next run would replace what a file brings. */
async function findOwned(transaction: Transaction<Tables>, { providers }: Staged): Promise<string | undefined> {
  const row = await transaction
    .selectFrom("provider")
    .innerJoin("live_source", "live_source.name", "provider.source")
    .where("provider.name", "in", [...providers.keys()])
    .where("live_source.is_enabled", "=", 1)
    .select(["provider.name", "provider.source"])
    .orderBy("provider.name")
    .limit(1)
    .executeTakeFirst();
  return (
    row &&
    `The live source ${row.source} keeps ${row.name} up to date. Disable it first (source disable ${row.source}), or add --force.`
  );
}

/** A provider that has offers now and would have none afterwards: more likely a broken file than a wish. */
async function findEmptied(
  transaction: Transaction<Tables>,
  { providers, withOffers }: Staged,
): Promise<string | undefined> {
  const missing = [...providers.keys()].filter((name) => !withOffers.has(name));
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
