import type {
  FilteredListing,
  LaunchPlan,
  ListingCatalog,
  ListingDetails,
  NearSearch,
  Offer,
  PriceHistory,
} from "@gpu-offers/domain";
import type { Result, Address } from "@gpu-offers/list";
import type { Catalog, Identity } from "./catalog.js";
import { Part } from "./part.js";

// The state of the page. A change makes a new one; views read it.

/** A marked offer. */
export interface Mark {
  /** Undefined until it is known. */
  id: string | undefined;
  /** Its on-demand and spot price. */
  listing: Pick<FilteredListing, "offer" | "spot" | "storage" | "isCostComplete">;
  identity: Identity;
}

/** The open details; what is read of them are {@link PageParts}. */
export interface Details {
  /** Undefined until it is known. */
  id: string | undefined;
  offer: Offer | undefined;
  /** Number of offers that its launch texts take the first of; 1 if undefined. */
  top?: number | undefined;
}

/** What the first list doesn't need, as far as the state knows it. */
export interface Later {
  ListingCatalog: typeof ListingCatalog;
}

/** What the page loads, each on its own. */
export interface PageParts {
  list: Part<void>;
  /** The words and names of queries, and what opens beside the list. */
  later: Part<Later>;
  listing: Part<ListingDetails>;
  history: Part<PriceHistory | undefined>;
  launch: Part<LaunchPlan>;
  /** The market above the list; undefined if the HTML has none. */
  market: Part<Element | undefined>;
}

/** The state. */
export interface PageState {
  catalog: Catalog | undefined;
  loadedAtMs: number;
  nowMs: number;
  /** The key is missing or was rejected. */
  keyProblem: string | undefined;
  /** The catalog is too large for the list file: the rows of the HTML stay. */
  isTooLarge: boolean;
  address: Address;
  /** Undefined while the query isn't read, because its words aren't loaded: no other result stands in its place. */
  result: Result | undefined;
  near: readonly NearSearch[];
  open: ReadonlySet<string>;
  /** Position of the row with the cursor. */
  cursor: number;
  marks: readonly Mark[];
  details: Details | undefined;
}

/** Holds the state, and says when it changes. */
export class PageStore {
  #state: PageState;
  readonly #listeners = new Set<() => void>();
  readonly parts: PageParts;

  constructor(address: Address) {
    this.#state = {
      catalog: undefined,
      loadedAtMs: 0,
      nowMs: Date.now(),
      keyProblem: undefined,
      isTooLarge: false,
      address,
      result: undefined,
      near: [],
      open: new Set(),
      cursor: -1,
      marks: [],
      details: undefined,
    };
    const changed = (): void => this.update({});
    this.parts = {
      list: new Part(changed),
      later: new Part(changed),
      listing: new Part(changed),
      history: new Part(changed),
      launch: new Part(changed),
      market: new Part(changed),
    };
  }

  get state(): PageState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  update(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    this.#listeners.forEach((listener) => listener());
  }
}
