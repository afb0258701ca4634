import type { ContradictedRule } from "./choose-gpu.js";
import { isOffer, rejectionItem, type OfferItem, type RejectionItem, type SourceNote } from "./source-item.js";

// A rule learned from old files, such as what the name of a type says, must not beat every row of a newer one.

/** Rows that must contradict a rule before it is doubted. */
const MIN_CONTRADICTIONS = 3;

/** A row that a rule rejects, with the offer by its own fields. */
type Contradicted = RejectionItem & { unruled: OfferItem };

/** The item of a row that contradicts a rule. @param unruled Its item without the rule. */
export function contradictedItem(
  where: string,
  rule: ContradictedRule,
  unruled: OfferItem | RejectionItem,
): RejectionItem {
  return { ...rejectionItem(where, rule), ...(unruled.kind === "offer" && { unruled }) };
}

/**
 * The items of a source. Where a rule contradicts most of a provider's rows whose own fields agree with each other, it is
 * suspended: their offers are those without it, and a note says so.
 */
export function suspendRules<T extends { kind: string }>(items: readonly T[]): (T | OfferItem | SourceNote)[] {
  const contradicted = items.flatMap((item) => contradictionIn(item) ?? []);
  if (contradicted.length === 0) {
    return [...items];
  }
  const offers = items.flatMap((item) => (isOffer(item) ? [item.offer.provider.name] : []));
  const suspended = new Map<string, SourceNote>();
  for (const [provider, rows] of Map.groupBy(contradicted, ({ unruled }) => unruled.offer.provider.name)) {
    const agreeing = rows.length + offers.filter((name) => name === provider).length;
    const [first] = rows;
    if (first !== undefined && rows.length >= MIN_CONTRADICTIONS && rows.length * 2 > agreeing) {
      const counts = `${rows.length} of ${agreeing} rows of ${provider}`;
      const note = `Warning: what types say contradicts ${counts} whose own fields agree, so it is ignored here. ${first.where}: ${first.reason}`;
      suspended.set(provider, { kind: "note", where: "types", note });
    }
  }
  const settled = items.map((item): T | OfferItem => {
    const row = contradictionIn(item);
    if (row === undefined) {
      return item;
    }
    const { unruled, ...rejection } = row;
    return suspended.has(unruled.offer.provider.name)
      ? { ...unruled, ...(row.scope !== undefined && { scope: row.scope }) }
      : (rejection as { kind: string } as T);
  });
  return [...settled, ...suspended.values()];
}

function contradictionIn(item: { kind: string }): Contradicted | undefined {
  // Readers add the offer to rejections only.
  return "unruled" in item && item.unruled !== undefined ? (item as Contradicted) : undefined;
}
