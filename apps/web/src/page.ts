import { isPlainQuery, parameterText, type ListingParameterName, type ListingQuery } from "@gpu-offers/domain";
import { evaluate, type CompactList, type ListingRow, pageQuery } from "@gpu-offers/list";
import { readAddress, withParameter, writeAddress } from "./address.js";
import { catalogOf, findPosition, identityAt, rowsOfResult, type Catalog } from "./catalog.js";
import { loadHtml } from "./html-page.js";
import type { KeptPlace } from "./kept-place.js";
import { ListLoader } from "./list-loader.js";
import { ListingIds } from "./listing-ids.js";
import { Marks } from "./marks.js";
import { PageDetails } from "./page-details.js";
import { PageLocation, readLocation, rememberDisk } from "./page-location.js";
import { PageStore, type Later, type PageParts, type PageState } from "./page-state.js";
import * as service from "./service.js";

/** Milliseconds after the last key before similar texts are looked for. */
const NEAR_MS = 250;

/** What changes the state: the query, and what is opened. */
export class Page {
  readonly #store: PageStore;
  readonly #location: PageLocation;
  readonly #loader: ListLoader;
  readonly details: PageDetails;
  readonly marks: Marks;
  #nearTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param loadLater loads the words and names of queries, and what opens beside the list. */
  constructor(private readonly loadLater: () => Promise<Later>) {
    this.#store = new PageStore(readLocation());
    this.#location = new PageLocation(this.#store);
    this.#loader = new ListLoader(this.#store, (list) => this.#replaceCatalog(list));
    const ids = new ListingIds(this.#store, this.#loader);
    this.details = new PageDetails(this.#store, this.#location, ids);
    this.marks = new Marks(this.#store, this.#location, ids);
    this.#store.subscribe(() => {
      const { catalog } = this.state;
      if (catalog !== undefined && catalog.named === undefined && this.parts.later.value !== undefined) {
        this.#nameIn(catalog);
        this.#evaluate();
      }
    });
  }

  get state(): PageState {
    return this.#store.state;
  }

  get place(): KeptPlace {
    return this.#location.place;
  }

  get parts(): PageParts {
    return this.#store.parts;
  }

  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener);
  }

  get rows(): readonly ListingRow[] {
    const { catalog, result, open } = this.state;
    return catalog === undefined || result === undefined ? [] : rowsOfResult(catalog, result, open);
  }

  /** Loads the list, and follows the address and new catalogs from then on. */
  async start(): Promise<void> {
    this.#store.update({ open: this.place.want(history.state) });
    addEventListener("popstate", ({ state }) => {
      this.#evaluate({ address: readAddress(location.search), open: this.place.want(state) });
      void this.#openAddressed();
    });
    if (location.search === "") {
      this.#location.write("replaceState");
    }
    if (!isPlainQuery(pageQuery(this.state.address.given))) {
      this.#loadLater();
    }
    this.#loader.follow();
    await this.#loader.load();
    await this.#openAddressed();
  }

  /** Tries a key. */
  async useKey(key: string): Promise<void> {
    service.keepKey(key.trim());
    await this.#loader.load();
    await this.#openAddressed();
  }

  /** A new catalog keeps the cursor; marks and open groups are named by what they are. */
  #replaceCatalog(list: CompactList): void {
    const catalog = catalogOf(list);
    this.#nameIn(catalog);
    const { catalog: before, cursor } = this.state;
    const identity = before === undefined || cursor < 0 ? undefined : identityAt(before, cursor);
    const result = evaluate(catalog, pageQuery(this.state.address.given));
    const found = identity === undefined ? undefined : findPosition(catalog, identity);
    this.#store.update({ catalog, result, cursor: found ?? result?.positions[0] ?? -1 });
    // After the first paint
    setTimeout(() => this.#loadLater());
    if (before !== undefined) {
      void Promise.all([this.details.refresh(), this.marks.refresh()]);
    }
    if (before !== undefined || this.parts.market.value === undefined) {
      void this.parts.market.load(async () => (await loadHtml("./")).querySelector("#market") ?? undefined);
    }
  }

  /** Loads what the first list doesn't need, once. */
  #loadLater(): void {
    const { later } = this.parts;
    if (later.status === "idle") {
      void later.load(this.loadLater);
    }
  }

  #nameIn(catalog: Catalog): void {
    const { value } = this.parts.later;
    catalog.named ??= value && new value.ListingCatalog(catalog.index, catalog.list.images);
  }

  #evaluate(change: Partial<PageState> = {}): void {
    const next = { ...this.state, ...change };
    const result = next.catalog && evaluate(next.catalog, pageQuery(next.address.given));
    const isThere = result?.outcomes.codes[next.cursor] === 0;
    this.#store.update({
      ...change,
      result,
      near: [],
      cursor: isThere ? next.cursor : (result?.positions[0] ?? -1),
    });
    clearTimeout(this.#nearTimer);
    const words = next.address.given.get("q");
    if (result?.positions.length === 0 && words !== undefined) {
      this.#nearTimer = setTimeout(
        () => this.#store.update({ near: this.state.catalog?.named?.nearTo(words) ?? [] }),
        NEAR_MS,
      );
    }
  }

  /** Sets a parameter, or removes it if the text is empty. */
  set(name: ListingParameterName, text: string): void {
    this.setAll([[name, text]]);
  }

  /** Sets parameters to their values in a query. */
  setFrom(query: ListingQuery, names: readonly ListingParameterName[]): void {
    this.setAll(names.map((name) => [name, query[name] === undefined ? "" : parameterText(query[name])]));
  }

  /** Sets several parameters, and shows the list. */
  setAll(changes: readonly (readonly [ListingParameterName, string])[]): void {
    const { address } = this.state;
    const given = changes.reduce((all, [name, text]) => withParameter(all, name, text), address.given);
    const read = readAddress(writeAddress({ ...address, given }));
    for (const [name, text] of changes) {
      if (name === "disk" && (text === "" || read.given.has(name))) {
        rememberDisk(text);
      }
    }
    const { details, cursor } = this.state;
    // What can't be read stays in its field and has no effect.
    this.#evaluate({
      // The first offer, unless the details of another are open
      cursor: details === undefined ? -1 : cursor,
      address: { ...read, offer: address.offer, compare: address.compare },
    });
    this.#location.writeSoon();
  }

  /** Opens what the address names. */
  async #openAddressed(): Promise<void> {
    this.#loadLater();
    const { address, catalog } = this.state;
    if (catalog !== undefined) {
      await Promise.all([this.details.follow(address.offer), this.marks.follow(address.compare ?? [])]);
    }
  }

  /** Moves the cursor to a row. */
  moveTo(at: number): void {
    this.#store.update({ cursor: at });
  }

  /** Opens or closes the group of a row. */
  toggleGroup(kind: string): void {
    const open = new Set(this.state.open);
    if (!open.delete(kind)) {
      open.add(kind);
    }
    this.#store.update({ open });
  }
}
