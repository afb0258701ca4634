import type { Transaction } from "kysely";
import { countRows } from "./database.js";
import type { Staged } from "./offer-stage.js";
import type { Tables } from "./tables.js";

// Why items that were read without errors must not be imported.

/** Maximum rejected GPU rows of an import: a number, or a share of its GPU rows in percent. */
export type RejectionLimit = { count: number } | { percent: number };

/** What an operator can do about a problem. Callers say it in the words of their own options. */
export type ImportRemedy =
  | { kind: "raise_limit" }
  /** `provider` is undefined if the file names none. */
  | { kind: "remove_provider"; provider: string | undefined }
  | { kind: "disable_source"; source: string }
  | { kind: "allow_older" };

/** Why items must not be imported: a sentence, and a remedy if there is one. */
export interface ImportProblem {
  problem: string;
  remedy?: ImportRemedy;
}

export const DEFAULT_REJECTION_LIMIT: RejectionLimit = { percent: 20 };

/** Clocks and time zones differ by at most a day. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * A problem of the staged items, regardless of the current catalog; undefined if there is none.
 * @param asOf Date of the source.
 */
export function findProblem(
  { rows, rejectedGpuRows, providers }: Staged,
  limit: RejectionLimit,
  asOf: string | undefined,
): ImportProblem | undefined {
  const gpuRows = rows.offers + rejectedGpuRows;
  const allowed = "count" in limit ? limit.count : (gpuRows * limit.percent) / 100;
  if (rejectedGpuRows > allowed) {
    const named = "count" in limit ? `${limit.count}` : `${limit.percent}%`;
    const problem = `${rejectedGpuRows} of ${gpuRows} GPU rows were rejected, more than the ${named} allowed.`;
    return { problem, remedy: { kind: "raise_limit" } };
  }
  if (rows.offers === 0) {
    return { problem: "The file has no offers.", remedy: { kind: "remove_provider", provider: undefined } };
  }
  const dates = [asOf, ...[...providers.values()].map((provider) => provider.asOf)];
  const future = dates.find((date) => typeof date === "string" && Date.parse(date) > Date.now() + MAX_AHEAD_MS);
  return future === undefined
    ? undefined
    : {
        problem: `asOf must be the date of the prices, not the future ${future}. Correct it, or the clock of this computer.`,
      };
}

/** A conflict between the staged items and the current catalog; undefined if there is none. */
export async function findConflict(
  transaction: Transaction<Tables>,
  staged: Staged,
  { isLive, isForced }: { isLive: boolean; isForced: boolean },
): Promise<ImportProblem | undefined> {
  return (
    (isLive ? undefined : await findEmptied(transaction, staged)) ??
    (isLive || isForced ? undefined : await findOwned(transaction, staged)) ??
    (await findForeign(transaction))
  );
}

/**
 * A provider of which the catalog has newer prices than the file.
 * @param asOf date of the file. Files without a date are neither newer nor older: the last one with a date counts.
 */
export async function findNewer(
  transaction: Transaction<Tables>,
  { providers }: Staged,
  asOf: string | undefined,
): Promise<ImportProblem | undefined> {
  for (const [name, provider] of providers) {
    const latest = await transaction
      .selectFrom("observation")
      .where("provider", "=", name)
      .where("revision", "is not", null)
      .where((eb) => eb.or([eb("source", "is not", null), eb("stated_at", "is not", null)]))
      .orderBy("id", "desc")
      .limit(1)
      .select(["at", "source", "stated_at"])
      .executeTakeFirst();
    const date = dayOf(provider.asOf ?? asOf);
    const served = dayOf(latest?.source === null ? latest.stated_at : latest?.at);
    if (date !== undefined && served !== undefined && date < served) {
      const problem = `The prices of ${name} in the file are of ${date}, and those in the catalog of ${served}.`;
      return { problem, remedy: { kind: "allow_older" } };
    }
  }
  return undefined;
}

/** A provider whose prices have no date: they have no place in the past. A sample has none either. */
export function findUndated({ providers }: Staged, asOf: string | undefined): ImportProblem | undefined {
  const observed = [...providers].filter(([, { sample }]) => sample !== true);
  if (observed.length === 0) {
    return { problem: "The file has only sample prices, which enter no history." };
  }
  const [name] = observed.find(([, provider]) => dayOf(provider.asOf ?? asOf) === undefined) ?? [];
  return name === undefined
    ? undefined
    : { problem: `The date of the prices of ${name} is unknown, and the history needs it. Give it with --as-of.` };
}

function dayOf(time: string | null | undefined): string | undefined {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
}

/** A provider that an enabled live source keeps up to date: its next run would replace the imported offers. */
async function findOwned(transaction: Transaction<Tables>, { providers }: Staged): Promise<ImportProblem | undefined> {
  const row = await transaction
    .selectFrom("provider")
    .innerJoin("live_source", "live_source.name", "provider.source")
    .where("provider.name", "in", [...providers.keys()])
    .where("live_source.is_enabled", "=", 1)
    .select(["provider.name", "live_source.name as source"])
    .orderBy("provider.name")
    .limit(1)
    .executeTakeFirst();
  const problem = `The live source ${row?.source} keeps ${row?.name} up to date.`;
  return row && { problem, remedy: { kind: "disable_source", source: row.source } };
}

/** A provider that has offers now and would have none afterwards, which is more likely a broken file than intended. */
async function findEmptied(
  transaction: Transaction<Tables>,
  { providers, withOffers }: Staged,
): Promise<ImportProblem | undefined> {
  for (const provider of [...providers.keys()].filter((name) => !withOffers.has(name))) {
    const count = await countRows(transaction.selectFrom("offer").where("provider", "=", provider));
    if (count > 0) {
      const problem = `The file has no offers of ${provider}, but the catalog has ${count}.`;
      return { problem, remedy: { kind: "remove_provider", provider } };
    }
  }
  return undefined;
}

/** An offer id that another provider's offer already has. */
async function findForeign(transaction: Transaction<Tables>): Promise<ImportProblem | undefined> {
  const kept = transaction.selectFrom("staged_offer").innerJoin("offer", "offer.id", "staged_offer.id");
  const foreign = kept.whereRef("offer.provider", "!=", "staged_offer.provider").limit(1);
  const row = await foreign.select(["offer.id", "offer.provider as owner", "staged_offer.provider"]).executeTakeFirst();
  return row && { problem: `Offer id ${row.id} of provider ${row.provider} is already used by provider ${row.owner}.` };
}
