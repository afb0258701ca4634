import { providerKey } from "@gpu-offers/domain";
import { marketplaces } from "./providers.facts.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";
import { isOffer, rejectionItem, type OfferItem, type RejectionItem, type SourceItem } from "./source-item.js";
import { suspendRules } from "./suspended-rules.js";

const MARKETPLACES: ReadonlySet<string> = new Set(marketplaces);

/**
 * Whether a provider is a marketplace or reseller of many sellers, by any of its names. Two rows of one machine there are
 * two hosts, and people take the cheaper one; in a price list of one seller, they contradict each other.
 */
export function isMarketplace(provider: string): boolean {
  return MARKETPLACES.has(providerKey(provider));
}

type Duplicate = Pick<OfferItem, "offer" | "listing">;

/**
 * Compares two offers with the same id; negative keeps the first. In a marketplace the cheaper one is kept, because they are
 * two hosts; elsewhere two prices contradict each other, and the dearer one is kept, because an estimate must never be too
 * low. At equal prices, storage costs decide in the same way; then the one whose JSON, with sorted members, comes first is
 * kept, and then that of its facts. The result never depends on the source's order.
 * @param isMarket Whether the provider is a marketplace; by default its name decides.
 */
export function compareDuplicates(
  a: Duplicate,
  b: Duplicate,
  isMarket: boolean = isMarketplace(a.offer.provider.name),
): number {
  const difference = a.offer.priceHourly - b.offer.priceHourly || a.offer.storageCostPerGB - b.offer.storageCostPerGB;
  return (
    (isMarket ? difference : -difference) ||
    compareTexts(canonicalJson(a.offer), canonicalJson(b.offer)) ||
    compareTexts(canonicalJson(a.listing), canonicalJson(b.listing))
  );
}

/** The rejection of a duplicate that isn't kept. `kept` is the item that is. */
export function duplicateItem({ offer, instanceType, where, scope }: OfferItem, kept: OfferItem): RejectionItem {
  const what = instanceType === undefined ? `The offer ${offer.id}` : `${showValue(instanceType)} in ${offer.region}`;
  const contradiction = contradictionOf(offer, kept);
  const price = kept.offer.priceHourly;
  const than = price === offer.priceHourly ? "the same price" : `the lower price of ${price}`;
  const rejection =
    contradiction === undefined
      ? new Rejection("duplicate", `${what} is a duplicate of ${kept.where}, which has ${than}.`)
      : new Rejection("contradiction", `${what} ${contradiction}`);
  return { ...rejectionItem(where, rejection), ...(scope !== undefined && { scope }) };
}

/** What contradicts the kept offer, if the lost one is cheaper than that. */
function contradictionOf(lost: OfferItem["offer"], { offer, where }: OfferItem): string | undefined {
  if (offer.priceHourly > lost.priceHourly) {
    return `costs ${offer.priceHourly} in ${where}, and ${lost.priceHourly} here.`;
  }
  const isCheaperDisk = offer.priceHourly === lost.priceHourly && offer.storageCostPerGB > lost.storageCostPerGB;
  return isCheaperDisk
    ? `has disk at ${offer.storageCostPerGB} per GB in ${where}, and at ${lost.storageCostPerGB} here.`
    : undefined;
}

/**
 * Settles a source's items: rules that most rows contradict are suspended, and of offers with one id, one stays and the
 * others are rejected. A rejection keeps the `scope` of its item.
 * @param isMarket Whether the provider is a marketplace; by default the name of each offer's provider decides.
 */
export function dedupe<T extends { kind: string } = SourceItem>(
  items: Iterable<T | OfferItem>,
  isMarket?: boolean,
): (T | SourceItem)[] {
  const all = suspendRules<T | OfferItem>([...items]);
  const kept = new Map<string, OfferItem>();
  for (const item of all.filter((candidate) => isOffer(candidate))) {
    const known = kept.get(item.offer.id);
    if (known === undefined || compareDuplicates(known, item, isMarket) > 0) {
      kept.set(item.offer.id, item);
    }
  }
  return all.map((item) => {
    const winner = isOffer(item) ? kept.get(item.offer.id) : undefined;
    return isOffer(item) && winner !== undefined && winner !== item ? duplicateItem(item, winner) : item;
  });
}

/** JSON with object members sorted by name. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => compareTexts(a, b)))
      : member,
  );
}

/** The order of texts by their code units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
