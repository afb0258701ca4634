import { isPlainQuery, parameterText, present, type ListingParameterName, type ListingQuery } from "@gpu-offers/domain";
import { evaluate, pageQuery, type Address, type CompactList, type JobWords } from "@gpu-offers/list";
import { readAddress, writeAddress } from "./address.js";
import { catalogOf, findPosition, identityAt, type Catalog } from "./catalog.js";
import { ListLoader } from "./list-loader.js";
import { Marks } from "./marks.js";
import { PageDetails } from "./page-details.js";
import { PageStore, type Later, type PageState } from "./page-state.js";
import * as service from "./service.js";
import { browserStorage } from "./storage.js";

/** Milliseconds after the last key before similar texts are looked for. */
const NEAR_MS = 250;

/** Parameters that overrule words, which other ones narrow. */
const WISHES = ["disk", "hours", "budget", "fits"] as const;

const DISK_NAME = "gpu-offers-disk";
/** Whether the market is closed. */
export const MARKET_NAME = "gpu-offers-market";

/** Reads the address. Without any query it has the disk that was typed last: a link is the same for everyone. */
function readLocation(): Address {
  const disk = location.search === "" ? browserStorage.getItem(DISK_NAME) : null;
  return readAddress(disk === null ? location.search : `?${new URLSearchParams({ disk })}`);
}

/** What changes the state: the query, and what is opened. */
export class Page extends PageStore {
  readonly #loader = new ListLoader(this, (list) => this.#replaceCatalog(list));
  readonly details = new PageDetails(this, this.#loader);
  readonly marks = new Marks(this, this.#loader);
  #nearTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param loadLater loads the words and names of queries, and what opens beside the list. */
  constructor(private readonly loadLater: () => Promise<Later>) {
    super(readLocation());
    this.subscribe(() => {
      const { catalog } = this.state;
      if (catalog !== undefined && catalog.named === undefined && this.parts.later.value !== undefined) {
        this.#nameIn(catalog);
        this.#evaluate();
      }
    });
  }

  /** Loads the list, and follows the address and new catalogs from then on. */
  async start(): Promise<void> {
    this.update({ open: this.place.want(history.state) });
    addEventListener("popstate", ({ state }) => {
      this.#evaluate({ address: readAddress(location.search), open: this.place.want(state) });
      void this.#openAddressed();
    });
    if (location.search === "") {
      this.write("replaceState");
    }
    if (!isPlainQuery(pageQuery(this.state.address.given))) {
      this.#loadLater();
    }
    this.#loader.follow();
    await this.#loader.load();
    await this.#openAddressed();
  }

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
    this.update({ catalog, result, cursor: found ?? result?.positions[0] ?? -1 });
    this.#seekNear();
    // After the first paint
    setTimeout(() => this.#loadLater());
    if (before !== undefined) {
      void Promise.all([this.details.refresh(), this.marks.refresh()]);
    }
    const { value } = this.parts.market;
    if (value === undefined || (before !== undefined && value.querySelector("details[open]") !== null)) {
      this.#loadMarket();
    }
  }

  #loadMarket(): void {
    void this.parts.market.load(async () => (await service.loadHtml("./")).querySelector("#market") ?? undefined);
  }

  /** The market was opened or closed, which the browser remembers. Closed, it keeps nothing, and isn't loaded. */
  toggleMarket(details: HTMLDetailsElement): void {
    browserStorage[details.open ? "removeItem" : "setItem"](MARKET_NAME, "closed");
    if (!details.open) {
      details.replaceChildren(present(details.firstElementChild ?? undefined));
    } else if (details.querySelector(".tiles") === null) {
      this.#loadMarket();
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
    this.update({
      ...change,
      result,
      near: [],
      cursor: isThere ? next.cursor : (result?.positions[0] ?? -1),
    });
    this.#seekNear();
  }

  /** Looks for similar words where none of them has offers. */
  #seekNear(): void {
    clearTimeout(this.#nearTimer);
    const { result, address } = this.state;
    const words = address.given.get("q");
    if (result?.positions.length === 0 && words !== undefined) {
      const seek = () => this.update({ near: this.state.catalog?.named?.nearTo(words) ?? [] });
      this.#nearTimer = setTimeout(seek, NEAR_MS);
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

  get job(): ReadonlyMap<ListingParameterName, JobWords> {
    const { catalog, result } = this.state;
    const { value } = this.parts.later;
    return (catalog?.named && value?.jobWords(catalog.named, result?.search)) ?? new Map();
  }

  /** Sets several parameters in place of the words that said them, and shows the list. */
  setAll(changes: readonly (readonly [ListingParameterName, string])[]): void {
    const { address } = this.state;
    const names = changes.map(([name]) => name);
    const words = this.parts.later.value?.withoutJobWords(address.given.get("q") ?? "", this.job, names);
    const all = names.includes("q") || words === undefined ? changes : [["q", words] as const, ...changes];
    const set = new Map([...address.given, ...all]);
    const given = new Map([...set].filter(([, text]) => text.trim() !== ""));
    const read = readAddress(writeAddress({ ...address, given }));
    const disk = new Map(changes).get("disk");
    if (disk === "" || (disk !== undefined && read.given.has("disk"))) {
      browserStorage[disk === "" ? "removeItem" : "setItem"](DISK_NAME, disk);
    }
    const { details, cursor } = this.state;
    // What can't be read stays in its field and has no effect.
    this.#evaluate({
      // The first offer, unless the details of another are open
      cursor: details === undefined ? -1 : cursor,
      address: { ...read, offer: address.offer, compare: address.compare },
    });
    this.writeSoon();
    // Otherwise they would overrule what was typed
    const overruled = WISHES.filter((name) => this.job.has(name) && read.given.has(name));
    if (names.includes("q") && overruled.length > 0) {
      this.setAll([...changes, ...overruled.map((name) => [name, ""] as const)]);
    }
  }

  async #openAddressed(): Promise<void> {
    this.#loadLater();
    const { address, catalog } = this.state;
    if (catalog !== undefined) {
      await Promise.all([this.details.follow(address.offer), this.marks.follow(address.compare ?? [])]);
    }
  }

  moveTo(at: number): void {
    this.update({ cursor: at });
  }

  /** Opens or closes the group of a row. */
  toggleGroup(kind: string): void {
    const open = new Set(this.state.open);
    if (!open.delete(kind)) {
      open.add(kind);
    }
    this.update({ open });
  }
}
