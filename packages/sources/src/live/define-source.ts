import { SourceError } from "../source-error.js";
import type { SourceImage } from "../source-item.js";
import { conversionIn, ECB_HOST, ecbRequest, rateNote } from "./ecb.js";
import { LiveOffers, uniqueOffers } from "./live-offers.js";
import {
  isFailure,
  type LiveContext,
  type LiveItem,
  type LiveReply,
  type LiveRequest,
  type LiveResponse,
  type LiveSource,
} from "./live-source.js";
import { optionalPart } from "./part.js";

/** What most sources have in common. */
export const USUAL = {
  type: "vm",
  kind: "list",
  secrets: [],
  optionalSecrets: [],
  maxBytes: 8 * 1024 * 1024,
  spacingMs: 1000,
  recordedAt: null,
  currency: "USD",
  mayBeEmpty: false,
  scopes: null,
  terms: "Public API, readable without a key.",
} as const satisfies Partial<LiveSource>;

/** A request as a source states it: a GET that carries the source's key, for what is sold unless it is optional. */
export type StatedRequest = Pick<LiveRequest, "part" | "url"> & Partial<LiveRequest>;

/** Requests that depend on replies to those before them. */
export type StatedRequests = Generator<StatedRequest, void, LiveReply>;

/** A source of one provider, without the facts that it shares with most others. */
export interface SourceFacts
  extends Omit<LiveSource, keyof typeof USUAL | "requests" | "read">, Partial<Pick<LiveSource, keyof typeof USUAL>> {
  /** The headers of each request that carry the first of the secrets, such as {@link bearer}; by default none do. */
  auth?: (key: string) => Readonly<Record<string, string>>;
  /** The requests of one run, as {@link LiveSource.requests} yields them, or all of them. */
  requests: readonly StatedRequest[] | ((context: LiveContext) => StatedRequests);
  /** The optional request that lists the provider's images, which is the last one, and how its replies are read. */
  images?: Pick<LiveRequest, "part" | "url"> & { read: (replies: readonly LiveReply[]) => SourceImage[] };
  /**
   * Reads the replies, as {@link LiveSource.read} does; of items with one id, one is kept. The provider is added, with
   * `images`, unless it is among them, with the date of its prices or the images of its types.
   */
  items: (offers: LiveOffers, replies: readonly LiveReply[], context: LiveContext) => Iterable<LiveItem>;
}

/**
 * Defines a source of one provider: a virtual machine's price list in USD without a key, unless it says otherwise. If its
 * hosts include that of exchange rates, its prices are converted as the operator's settings say.
 */
export function defineSource({ items, requests, images, auth, ...facts }: SourceFacts): LiveSource {
  // Modules without types may lack it, which is said where they are loaded.
  const converts = [facts.hosts].flat().includes(ECB_HOST);
  function* allRequests(context: LiveContext): StatedRequests {
    yield* typeof requests === "function" ? requests(context) : requests;
    if (images !== undefined) {
      yield { part: images.part, url: images.url, optional: true };
    }
  }
  const source: LiveSource = {
    ...USUAL,
    ...(facts.secrets?.length && { terms: "API for customers." }),
    ...facts,
    *requests(context) {
      if (converts && context.settings.convert === "ecb") {
        yield ecbRequest();
      }
      const headers = auth?.(context.secrets[source.secrets[0] ?? ""] ?? "");
      const stated = allRequests(context);
      for (let next = stated.next(); next.done !== true;) {
        const request = next.value;
        next = stated.next(
          yield {
            main: request.optional !== true,
            method: "GET",
            ...request,
            ...(headers && { headers: { ...headers, ...request.headers } }),
          },
        );
      }
    },
    read(replies, context) {
      const { rate, money } = conversionIn(replies, context);
      const offers = new LiveOffers(source, context, money);
      const found = [...items(offers, replies, context)];
      const known = images && optionalPart(replies, images.part, "Images", () => images.read(replies));
      const provider = found.some(({ kind }) => kind === "provider")
        ? []
        : [offers.providerItem(undefined, known?.value), ...(known?.notes ?? [])];
      const notes = converts && rate !== undefined ? [rateNote(rate)] : [];
      return [...uniqueOffers([...provider, ...found], source.kind), ...notes];
    },
  };
  return source;
}

/** The header of a key as most APIs want it. */
export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/**
 * Requests a list page by page, until one fails or is the last. An optional page that `next` can't read is the last: see
 * `optionalPart`.
 * @param request A page, by its number from 1 and by what `next` returned for the page before it.
 * @param next What the next page is requested with, such as a cursor, or true; nothing, false or empty after the last one.
 */
export function* pagesOf<Next extends string | boolean>(
  request: (page: number, next: Next | undefined) => StatedRequest,
  next: (response: LiveResponse, page: number) => Next | null | undefined,
): StatedRequests {
  let following: Next | null | undefined;
  let page = 0;
  do {
    page += 1;
    const stated = request(page, following ?? undefined);
    const reply: LiveReply = yield stated;
    try {
      following = isFailure(reply) ? null : next(reply, page);
    } catch (error) {
      if (!(stated.optional === true && error instanceof SourceError)) {
        throw error;
      }
      return;
    }
  } while (following);
}
