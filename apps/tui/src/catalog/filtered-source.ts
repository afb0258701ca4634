import {
  addSearchedFacts,
  LISTING_FILTER_KEYS,
  matchesListing,
  pricedOffer,
  UNKNOWN_LISTING_FACTS,
  type Account,
  type Balance,
  type FilteredListing,
  type ListingFacts,
  type ListingFilter,
  type Offer,
  type OsImage,
  type PriceHistory,
  type Provider,
} from "@gpu-offers/domain";
import { countOf, type CatalogAge } from "@gpu-offers/list";
import type { ImagesOptions, ListPart, LiveFetching, OfferSource, RejectedRow, SourceQuery } from "./offer-source.js";

/** The offers of a source that match a filter about what it states beyond them; with `spot`, at their spot prices. */
export class FilteredSource implements OfferSource {
  readonly place: string;
  readonly options: string;
  readonly hasAccount: boolean;
  readonly live?: LiveFetching;
  readonly listGpus?: NonNullable<OfferSource["listGpus"]>;
  readonly findGpuPrices?: NonNullable<OfferSource["findGpuPrices"]>;
  readonly #source: OfferSource;
  readonly #filter: ListingFilter;
  #unverified = 0;
  #isWhole = false;

  constructor(source: OfferSource, filter: ListingFilter) {
    this.#source = source;
    this.#filter = filter;
    this.place = source.place;
    this.options = source.options;
    this.hasAccount = source.hasAccount;
    if (source.live !== undefined) {
      this.live = source.live;
    }
    // What a source doesn't have, this one doesn't have either.
    if (source.listGpus !== undefined) {
      this.listGpus = (signal) => source.listGpus?.(signal) ?? Promise.resolve(undefined);
    }
    if (source.findGpuPrices !== undefined) {
      this.findGpuPrices = (name, range, signal) =>
        source.findGpuPrices?.(name, range, signal) ?? Promise.resolve(undefined);
    }
  }

  /** The number of offers of the last list whose host isn't verified, as far as it was read. */
  get leftOut(): string | undefined {
    const atLeast = this.#isWhole ? "" : "at least ";
    return this.#unverified === 0
      ? undefined
      : `${atLeast}${countOf(this.#unverified, "offer")} of unverified hosts left out. --verified any includes them.`;
  }

  async *list(query: SourceQuery, signal?: AbortSignal): AsyncGenerator<ListPart> {
    this.#unverified = 0;
    this.#isWhole = false;
    for await (const part of this.#source.list(query, signal)) {
      if (part.kind === "restart") {
        this.#unverified = 0;
        yield part;
        continue;
      }
      const offers = part.offers.flatMap((offer) => this.#filtered(offer));
      yield { ...part, offers, total: part.total - (part.offers.length - offers.length) };
    }
    this.#isWhole = true;
  }

  async findOffer(id: string, signal?: AbortSignal): Promise<Offer | undefined> {
    const offer = await this.#source.findOffer(id, signal);
    return offer === undefined ? undefined : pricedOffer(this.#listingOf(offer), this.#filter.spot !== undefined);
  }

  factsOf(id: string): ListingFacts | undefined {
    return this.#source.factsOf(id);
  }

  listRejected(): Promise<readonly RejectedRow[]> {
    return this.#source.listRejected();
  }

  findImages(provider: string, options?: ImagesOptions): Promise<readonly OsImage[] | undefined> {
    return this.#source.findImages(provider, options);
  }

  readAge(signal?: AbortSignal): Promise<CatalogAge> {
    return this.#source.readAge(signal);
  }

  findHistory(id: string, signal?: AbortSignal): Promise<PriceHistory | undefined> {
    return this.#source.findHistory(id, signal);
  }

  listProviders(signal?: AbortSignal): Promise<readonly Provider[]> {
    return this.#source.listProviders(signal);
  }

  getAccount(signal?: AbortSignal): Promise<Account> {
    return this.#source.getAccount(signal);
  }

  getBalance(signal?: AbortSignal): Promise<Balance> {
    return this.#source.getBalance(signal);
  }

  #filtered(offer: Offer): Offer[] {
    const listing = this.#listingOf(offer);
    if (matchesListing(listing, this.#filter)) {
      const priced = pricedOffer(listing, this.#filter.spot !== undefined);
      addSearchedFacts(priced, listing);
      return [priced];
    }
    this.#unverified += this.#filter.verified === "not-false" && listing.verified === false ? 1 : 0;
    return [];
  }

  #listingOf(offer: Offer): FilteredListing {
    return { offer, ...UNKNOWN_LISTING_FACTS, ...this.#source.factsOf(offer.id) };
  }
}

/** Whether a filter excludes anything. */
export function filtersListings(filter: ListingFilter): boolean {
  return LISTING_FILTER_KEYS.some((key) => filter[key] !== undefined);
}
