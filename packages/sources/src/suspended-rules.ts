import type { ContradictedRule, GpuChoice } from "./choose-gpu.js";
import { isOffer, rejectionItem, type OfferItem, type RejectionItem, type SourceNote } from "./source-item.js";

// A rule learned from old files, such as what the name of a type says or what stated memory is of, must not beat every row of a newer one.

const MIN_CONTRADICTIONS = 3;

type Contradicted = (RejectionItem | OfferItem) & Required<Pick<OfferItem, "contradicts">>;

/** The item of a row that contradicts a rule. @param itemWith Its item with other GPUs than those of the row. */
export function contradictedItem(
  where: string,
  problem: ContradictedRule,
  itemWith: (gpu: GpuChoice) => OfferItem | RejectionItem,
): OfferItem | RejectionItem {
  const { rule, reason, ruled, stated } = problem;
  const unruled = itemWith(stated);
  const item = ruled === undefined ? rejectionItem(where, problem) : itemWith(ruled);
  return unruled.kind === "offer" ? { ...item, contradicts: { rule, reason, unruled } } : item;
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
  const offers = items.flatMap((item) =>
    isOffer(item) && item.contradicts === undefined ? [item.offer.provider.name] : [],
  );
  const suspended = new Set<string>();
  const notes: SourceNote[] = [];
  for (const [key, rows] of Map.groupBy(contradicted, keyOf)) {
    const [{ where, contradicts }] = rows as [Contradicted, ...Contradicted[]];
    const provider = contradicts.unruled.offer.provider.name;
    const agreeing = rows.length + offers.filter((name) => name === provider).length;
    const isSuspended = rows.length >= MIN_CONTRADICTIONS && rows.length * 2 > agreeing;
    const all = `${contradicts.rule} contradicts ${rows.length} of ${agreeing} rows of ${provider} whose own fields agree`;
    if (isSuspended) {
      suspended.add(key);
    }
    // Rejected rows are counted by their codes.
    if (isSuspended || rows.some(isOffer)) {
      const what = isSuspended ? "so it is ignored here" : "and is used nevertheless";
      notes.push({ kind: "note", where: "file", note: `Warning: ${all}, ${what}. ${where}: ${contradicts.reason}` });
    }
  }
  const settled = items.map((item): T | OfferItem => {
    const row = contradictionIn(item);
    if (row === undefined) {
      return item;
    }
    const { contradicts, ...ruled } = row;
    return suspended.has(keyOf(row))
      ? { ...contradicts.unruled, ...(row.scope !== undefined && { scope: row.scope }) }
      : (ruled as { kind: string } as T);
  });
  return [...settled, ...notes];
}

function keyOf({ contradicts: { rule, unruled } }: Contradicted): string {
  return `${unruled.offer.provider.name} ${rule}`;
}

function contradictionIn(item: { kind: string }): Contradicted | undefined {
  return "contradicts" in item && item.contradicts !== undefined ? (item as Contradicted) : undefined;
}
