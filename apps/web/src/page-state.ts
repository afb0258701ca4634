import type {
  FilteredListing,
  LaunchPlan,
  ListingCatalog,
  ListingDetails,
  NearSearch,
  Offer,
  PriceHistory,
} from "@gpu-offers/domain";
import type { Address, jobWords, Result, withoutJobWords } from "@gpu-offers/list";
import { writeAddress } from "./address.js";
import type { Catalog, Identity } from "./catalog.js";
import { KeptPlace } from "./kept-place.js";
import { Part } from "./part.js";
import type { percentOfMedian } from "./price-against-median.js";

// The state of the page. A change makes a new one; views read it. The address bar follows it: typing replaces the address;
// opening something adds to the history.

/** Milliseconds after the last key before the address changes. */
const WRITTEN_MS = 200;

export interface Mark {
  id: string | undefined;
  /** Its on-demand and spot price. */
  listing: Pick<
    FilteredListing,
    "offer" | "spot" | "storage" | "isCostComplete" | "availability" | "sample" | "stock14d"
  >;
  identity: Identity;
}

/** The open details; what is read of them are {@link PageParts}. */
export interface Details {
  id: string | undefined;
  offer: Offer | undefined;
  /** Number of offers that its launch texts take the first of; 1 if undefined. */
  top?: number | undefined;
}

/** What the first list doesn't need, as far as the state knows it. */
export interface Later {
  ListingCatalog: typeof ListingCatalog;
  percentOfMedian: typeof percentOfMedian;
  jobWords: typeof jobWords;
  withoutJobWords: typeof withoutJobWords;
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
  cursor: number;
  marks: readonly Mark[];
  details: Details | undefined;
}

/** Holds the state, says when it changes, and writes it into the address. */
export class PageStore {
  #state: PageState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly parts: PageParts;
  /** Where one is in the list. */
  readonly place = new KeptPlace();

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
    const part = <Value>(): Part<Value> => new Part(() => this.update({}));
    this.parts = { list: part(), later: part(), listing: part(), history: part(), launch: part(), market: part() };
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

  /** Writes the address after the last key. */
  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write("replaceState"), WRITTEN_MS);
  }

  write(how: "pushState" | "replaceState"): void {
    clearTimeout(this.#timer);
    const search = writeAddress(this.#state.address);
    if (search !== location.search) {
      this.place.write();
      history[how](history.state, "", `${location.pathname}${search}`);
    }
  }

  /** Shows another address, to which "back" returns from the next. */
  go(change: Partial<Address>): void {
    this.update({ address: { ...this.#state.address, ...change } });
    this.write("pushState");
  }
}
