import { LiveOffers, uniqueOffers } from "./live-offers.js";
import type { LiveContext, LiveItem, LiveReply, LiveSource } from "./live-source.js";

/** What most sources have in common. */
const USUAL = {
  type: "vm",
  kind: "list",
  secrets: [],
  optionalSecrets: [],
  maxBytes: 8 * 1024 * 1024,
  spacingMs: 1000,
  currency: "USD",
  mayBeEmpty: false,
  scopes: null,
} as const satisfies Partial<LiveSource>;

/** A source of one provider, without the facts that it shares with most others. */
interface SourceFacts
  extends Omit<LiveSource, keyof typeof USUAL | "read">, Partial<Pick<LiveSource, keyof typeof USUAL>> {
  /** Reads the replies, as {@link LiveSource.read} does; of items with one id, one is kept. */
  items: (offers: LiveOffers, replies: readonly LiveReply[], context: LiveContext) => Iterable<LiveItem>;
}

/** Defines a source of one provider: a virtual machine's price list in USD without a key, unless it says otherwise. */
export function defineSource({ items, ...facts }: SourceFacts): LiveSource {
  const source: LiveSource = {
    ...USUAL,
    ...facts,
    read: (replies, context) => uniqueOffers(items(new LiveOffers(source, context), replies, context), source.kind),
  };
  return source;
}
