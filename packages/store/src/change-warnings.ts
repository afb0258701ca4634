import { findGpuModel } from "@gpu-offers/domain";
import { isMarketplace, uniformFactor } from "@gpu-offers/sources";
import { sql, type Transaction } from "kysely";
import type { Tables } from "./tables.js";

// What an operator should look at in a change that the gates let pass.

/** A suspicious change of a provider. */
export interface ChangeWarning {
  provider: string;
  /** One sentence, which begins with {@link WARNING}. */
  message: string;
}

const WARNING = "Warning: ";

export function isWarning(note: string): boolean {
  return note.startsWith(WARNING);
}

/** Offers of a marketplace's GPU family below which its end is everyday life. */
const MARKET_FAMILY = 5;

/** Offers in both catalogs that make a common factor of their prices no coincidence. */
const MIN_REPRICED = 5;

/**
 * The warnings about staged offers, compared with the current ones of their providers, wherever those came from.
 * @param providers those whose current offers aren't a sample.
 */
export async function findWarnings(
  transaction: Transaction<Tables>,
  providers: readonly string[],
): Promise<ChangeWarning[]> {
  const warnings: ChangeWarning[] = [];
  for (const provider of providers) {
    const messages = [await lostFamilies(transaction, provider), await repricing(transaction, provider)];
    const found = messages.filter((message) => message !== undefined);
    warnings.push(...found.map((message) => ({ provider, message: `${WARNING}${provider}: ${message}` })));
  }
  return warnings;
}

async function lostFamilies(transaction: Transaction<Tables>, provider: string): Promise<string | undefined> {
  const familiesIn = async (table: "offer" | "staged_offer") => {
    const rows = await transaction
      .selectFrom(table)
      .where("provider", "=", provider)
      .groupBy("gpu_slug")
      .select((select) => ["gpu_slug", select.fn.countAll<number>().as("count")])
      .execute();
    const families = new Map<string, number>();
    for (const { gpu_slug: slug, count } of rows) {
      const family = findGpuModel(slug)?.family ?? slug;
      families.set(family, (families.get(family) ?? 0) + count);
    }
    return families;
  };
  const after = await familiesIn("staged_offer");
  const min = isMarketplace(provider) ? MARKET_FAMILY : 1;
  const lost = [...(await familiesIn("offer"))].filter(([family, count]) => count >= min && !after.has(family));
  const texts = lost.map(
    ([family, count]) => `no ${findGpuModel(family)?.name ?? family.toUpperCase()} (${count} before)`,
  );
  return lost.length === 0 || after.size === 0 ? undefined : `${texts.join(", ")} in this run.`;
}

async function repricing(transaction: Transaction<Tables>, provider: string): Promise<string | undefined> {
  const rows = await transaction
    .selectFrom("staged_offer")
    .innerJoin("offer", "offer.id", "staged_offer.id")
    .where("staged_offer.provider", "=", provider)
    .select(sql<number>`staged_offer.price_hourly / offer.price_hourly`.as("ratio"))
    .execute();
  const factor = rows.length < MIN_REPRICED ? undefined : uniformFactor(rows.map(({ ratio }) => ratio));
  return factor === undefined
    ? undefined
    : `nearly all of ${rows.length} prices changed by one factor, x${Number(factor.toPrecision(4))}: another currency, tax or unit?`;
}
