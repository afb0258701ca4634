import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";
import { rejectionItem, type OfferItem, type RejectionItem, type SourceItem } from "./source-item.js";

/** What decides between two offers with the same id. */
type Duplicate = Pick<OfferItem, "offer" | "listing">;

/**
 * Compares two offers with the same id; negative keeps the first. Kept is the cheaper one; then the one with the lower
 * storage cost; then the one whose JSON, with sorted members, comes first, and then that of its facts. The result never
 * depends on the source's order.
 */
export function compareDuplicates(a: Duplicate, b: Duplicate): number {
  return (
    a.offer.priceHourly - b.offer.priceHourly ||
    a.offer.storageCostPerGB - b.offer.storageCostPerGB ||
    compareTexts(canonicalJson(a.offer), canonicalJson(b.offer)) ||
    compareTexts(canonicalJson(a.listing), canonicalJson(b.listing))
  );
}

/** The rejection of a duplicate that isn't kept. `kept` is the item that is. */
export function duplicateItem(lost: ScopedOffer, kept: OfferItem): Scoped<RejectionItem> {
  const { offer, instanceType, where, scope } = lost;
  const what = instanceType === undefined ? `The offer ${offer.id}` : `${showValue(instanceType)} in ${offer.region}`;
  const price = kept.offer.priceHourly;
  const same = price === offer.priceHourly ? "the same price" : `the lower price of ${price}`;
  const reason = `${what} is a duplicate of ${kept.where}, which has ${same}.`;
  return { ...rejectionItem(where, new Rejection("duplicate", reason)), ...(scope !== undefined && { scope }) };
}

/**
 * Reduces a source's items to one offer per id: of duplicates, one stays an offer and the others are rejected. A
 * rejection keeps the `scope` of its item.
 */
export function dedupe<T extends { kind: string } = SourceItem>(
  items: Iterable<T | ScopedOffer>,
): (T | Scoped<SourceItem>)[] {
  const settled: (T | Scoped<SourceItem>)[] = [...items];
  const kept = new Map<string, { place: number; item: ScopedOffer }>();
  for (const [place, item] of settled.entries()) {
    if (!isOffer(item)) {
      continue;
    }
    const existing = kept.get(item.offer.id);
    if (existing !== undefined && compareDuplicates(existing.item, item) <= 0) {
      settled[place] = duplicateItem(item, existing.item);
      continue;
    }
    if (existing !== undefined) {
      settled[existing.place] = duplicateItem(existing.item, item);
    }
    kept.set(item.offer.id, { place, item });
  }
  return settled;
}

type Scoped<T> = T & { scope?: string };
type ScopedOffer = Scoped<OfferItem>;

function isOffer(item: { kind: string }): item is ScopedOffer {
  return item.kind === "offer";
}

/** JSON with object members sorted by name. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => compareTexts(a, b)))
      : member,
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
