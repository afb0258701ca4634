import { conversionIn, ECB_HOST, rateNote, rateRequest } from "./ecb.js";
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

/**
 * Defines a source of one provider: a virtual machine's price list in USD without a key, unless it says otherwise. If its
 * hosts include that of exchange rates, its prices are converted as the operator's settings say.
 */
export function defineSource({ items, requests, ...facts }: SourceFacts): LiveSource {
  const converts = facts.hosts.includes(ECB_HOST);
  const source: LiveSource = {
    ...USUAL,
    ...facts,
    *requests(context) {
      if (converts) {
        yield* rateRequest(context);
      }
      yield* requests(context);
    },
    read(replies, context) {
      const { rate, money } = conversionIn(replies, context);
      const offers = new LiveOffers(source, context, money);
      const notes = converts && rate !== undefined ? [rateNote(rate)] : [];
      return [...uniqueOffers(items(offers, replies, context), source.kind), ...notes];
    },
  };
  return source;
}
