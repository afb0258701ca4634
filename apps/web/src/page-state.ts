import {
  isDiskFixed,
  paidDisk,
  type GpuEntry,
  type GpuPrices,
  type LaunchPlan,
  type ListingDetails,
  type NearSearch,
  type Offer,
  type PriceHistory,
} from "@gpu-offers/domain";
import type { ListingRow } from "@gpu-offers/list";
import { MAX_COMPARED, queryOf, readAddress, withParameter, writeAddress, type Address } from "./address.js";
import {
  catalogOf,
  evaluate,
  findPosition,
  identityAt,
  identityOf,
  listingAt,
  rowsOfResult,
  type Catalog,
  type Identity,
  type Result,
} from "./evaluate.js";
import * as service from "./service.js";

// The state of the page and what changes it. Views read the state and call the methods.

/** Milliseconds between two looks for a newer catalog while the page is visible. */
const FRESH_MS = 60_000;
/** Milliseconds after the last key before the address changes. */
const ADDRESS_MS = 200;
/** Milliseconds after the last key before similar texts are looked for. */
const NEAR_MS = 250;

/** A marked offer. */
export interface Mark {
  id: string;
  offer: Offer;
  identity: Identity;
}

/** The open details. */
export interface Details {
  /** Undefined until it is known. */
  id: string | undefined;
  offer: Offer | undefined;
  listing?: ListingDetails;
  history?: PriceHistory;
  plan?: LaunchPlan;
  problem?: string;
}

/** What the GPUs view shows. */
export interface GpusView {
  gpus?: readonly GpuEntry[];
  prices?: GpuPrices;
  /** The GPU of {@link GpusView.prices}. */
  shown?: string;
  problem?: string;
}

/** The state; a change makes a new one. */
export interface PageState {
  catalog: Catalog | undefined;
  loadedAtMs: number;
  nowMs: number;
  /** Why the last load failed; the list stays. */
  failure: string | undefined;
  /** The key is missing or was rejected. */
  keyProblem: string | undefined;
  address: Address;
  result: Result | undefined;
  near: readonly NearSearch[];
  open: ReadonlySet<string>;
  /** Position of the row with the cursor. */
  cursor: number;
  marks: readonly Mark[];
  details: Details | undefined;
  gpus: GpusView;
}

/** Holds the state. */
export class Page {
  state: PageState;
  readonly #listeners = new Set<() => void>();
  #tag: string | undefined;
  #addressTimer: ReturnType<typeof setTimeout> | undefined;
  #nearTimer: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;

  constructor(search: string) {
    this.state = {
      catalog: undefined,
      loadedAtMs: 0,
      nowMs: Date.now(),
      failure: undefined,
      keyProblem: undefined,
      address: readAddress(search),
      result: undefined,
      near: [],
      open: new Set(),
      cursor: -1,
      marks: [],
      details: undefined,
      gpus: {},
    };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #update(change: Partial<PageState>): void {
    this.state = { ...this.state, ...change };
    this.#listeners.forEach((listener) => listener());
  }

  get rows(): readonly ListingRow[] {
    const { catalog, result, open } = this.state;
    return catalog === undefined || result === undefined ? [] : rowsOfResult(catalog, result, open);
  }

  /** Loads the list, and follows the address, new catalogs and the clock from then on. */
  async start(): Promise<void> {
    addEventListener("popstate", () => this.#readLocation());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") {
        void this.load();
      }
    });
    setInterval(() => {
      if (document.visibilityState === "visible") {
        void this.load();
      }
    }, FRESH_MS);
    await this.load();
    await this.#openAddressed();
  }

  /** Loads the list if there is a newer one. */
  async load(): Promise<void> {
    if (this.#isLoading) {
      return;
    }
    this.#isLoading = true;
    try {
      const tagged = await service.loadList(this.#tag);
      if (tagged !== undefined) {
        await this.#replaceCatalog(catalogOf(tagged.list));
        this.#tag = tagged.tag;
      }
      this.#update({ failure: undefined, keyProblem: undefined, loadedAtMs: Date.now(), nowMs: Date.now() });
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isLoading = false;
    }
  }

  #fail(error: unknown): void {
    const status = error instanceof service.RequestError ? error.status : undefined;
    if (status === 401) {
      const hadKey = service.dropKey();
      this.#update({ keyProblem: hadKey ? "The service rejected this key." : "This service needs an API key." });
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.#update({ failure: message, nowMs: Date.now() });
  }

  /** Tries a key. */
  async useKey(key: string): Promise<void> {
    service.keepKey(key.trim());
    await this.load();
    await this.#openAddressed();
  }

  /** A new catalog keeps the cursor; marks and open groups are named by what they are. */
  async #replaceCatalog(catalog: Catalog): Promise<void> {
    const { catalog: before, cursor } = this.state;
    const identity = before === undefined || cursor < 0 ? undefined : identityAt(before, cursor);
    const loading = this.#loadNames(catalog);
    if (before?.named !== undefined || evaluate(catalog, queryOf(this.state.address.given)) === undefined) {
      await loading;
    }
    const result = evaluate(catalog, queryOf(this.state.address.given));
    const found = identity === undefined ? undefined : findPosition(catalog, identity);
    this.#update({ catalog, result, cursor: found ?? result?.positions[0] ?? -1 });
  }

  async #loadNames(catalog: Catalog): Promise<void> {
    const { NamedCatalog } = await import("./named-catalog.js");
    catalog.named = await NamedCatalog.of(catalog.index, catalog.list.images, pause);
    if (this.state.catalog === catalog) {
      this.#evaluate();
    }
  }

  #evaluate(change: Partial<PageState> = {}): void {
    const next = { ...this.state, ...change };
    const result = next.catalog && evaluate(next.catalog, queryOf(next.address.given));
    const isThere = result?.outcomes.codes[next.cursor] === 0;
    this.#update({
      ...change,
      result: result ?? next.result,
      near: [],
      cursor: isThere ? next.cursor : (result?.positions[0] ?? -1),
    });
    clearTimeout(this.#nearTimer);
    const words = next.address.given.get("q");
    if (result?.positions.length === 0 && words !== undefined) {
      this.#nearTimer = setTimeout(
        () => this.#update({ near: this.state.catalog?.named?.nearTo(words) ?? [] }),
        NEAR_MS,
      );
    }
  }

  /** Sets a parameter, or removes it if the text is empty. */
  set(name: Parameters<typeof withParameter>[1], text: string): void {
    this.setAll([[name, text]]);
  }

  /** Sets several parameters. */
  setAll(changes: readonly (readonly [Parameters<typeof withParameter>[1], string])[]): void {
    const given = changes.reduce((all, [name, text]) => withParameter(all, name, text), this.state.address.given);
    const read = readAddress(writeAddress({ ...this.state.address, given }));
    // What can't be read stays in its field and has no effect.
    this.#evaluate({ address: { ...read, offer: this.state.address.offer, compare: this.state.address.compare } });
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => this.#writeLocation("replaceState"), ADDRESS_MS);
  }

  #writeLocation(how: "pushState" | "replaceState"): void {
    clearTimeout(this.#addressTimer);
    const search = writeAddress(this.state.address);
    if (search !== location.search) {
      history[how](null, "", `${location.pathname}${search}`);
    }
  }

  #go(change: Partial<Address>): void {
    this.#update({ address: { ...this.state.address, ...change } });
    this.#writeLocation("pushState");
  }

  #readLocation(): void {
    const address = readAddress(location.search);
    this.#evaluate({ address });
    void this.#openAddressed();
  }

  /** Opens what the address names. */
  async #openAddressed(): Promise<void> {
    const { address, catalog, details } = this.state;
    if (catalog === undefined) {
      return;
    }
    if (address.view === "gpus") {
      await this.showGpus(address.given.get("gpu"));
    }
    if (address.offer !== details?.id || address.offer === undefined) {
      this.#update({ details: address.offer === undefined ? undefined : { id: address.offer, offer: undefined } });
      if (address.offer !== undefined) {
        await this.#readDetails(address.offer);
      }
    }
    await Promise.all((address.compare ?? []).map((id) => this.#markId(id)));
  }

  async #markId(id: string): Promise<void> {
    if (this.state.marks.some((mark) => mark.id === id)) {
      return;
    }
    try {
      const listing = await service.getListing(id);
      this.#update({ marks: [...this.state.marks, { id, offer: listing.offer, identity: identityOf(listing) }] });
    } catch (error) {
      this.#addProblem(`compare: ${quotedId(id)} can't be shown. ${messageOf(error)}`);
    }
  }

  #addProblem(problem: string): void {
    const { address } = this.state;
    this.#update({ address: { ...address, problems: [...address.problems, problem] } });
  }

  /** Moves the cursor to a row. */
  moveTo(at: number): void {
    this.#update({ cursor: at });
  }

  /** Opens or closes the group of a row. */
  toggleGroup(kind: string): void {
    const open = new Set(this.state.open);
    if (!open.delete(kind)) {
      open.add(kind);
    }
    this.#update({ open });
  }

  /** Opens the details of a position. */
  async openDetails(at: number): Promise<void> {
    const { catalog, result } = this.state;
    if (catalog === undefined) {
      return;
    }
    const { offer } = listingAt(catalog, at, result?.isSpot === true);
    this.#update({ cursor: at, details: { id: undefined, offer } });
    try {
      const id = await this.#idAt(at);
      if (id !== undefined) {
        this.#go({ offer: id });
        await this.#readDetails(id);
      }
    } catch (error) {
      this.#showProblem(error);
    }
  }

  async #idAt(at: number): Promise<string | undefined> {
    const { catalog } = this.state;
    const found = catalog && (await service.findOfferAt(at, catalog.list.etag));
    if (found === undefined && catalog !== undefined) {
      const identity = identityAt(catalog, at);
      await this.load();
      const now = this.state.catalog;
      const place = now && now !== catalog ? findPosition(now, identity) : undefined;
      return place === undefined || now === undefined
        ? undefined
        : (await service.findOfferAt(place, now.list.etag))?.id;
    }
    return found?.id;
  }

  async #readDetails(id: string): Promise<void> {
    try {
      const listing = await service.getListing(id);
      const { catalog, result } = this.state;
      const position = catalog && findPosition(catalog, identityOf(listing));
      const isSpot = result?.isSpot === true;
      this.#update({
        details: { ...this.state.details, id, offer: listing.offer, listing },
        cursor: position ?? this.state.cursor,
      });
      const { offer } = listing;
      const diskGb = isDiskFixed(offer) || result?.diskGb === undefined ? undefined : paidDisk(offer, result.diskGb);
      const [plan, history] = await Promise.allSettled([
        service.getLaunchPlan(id, {
          ...(diskGb !== undefined && { diskGb }),
          ...(result?.hours !== undefined && { hours: result.hours }),
          isSpot: isSpot && listing.spot !== null,
        }),
        service.getHistory(id),
      ]);
      if (this.state.details?.id === id) {
        this.#update({
          details: {
            ...this.state.details,
            ...(plan.status === "fulfilled" && { plan: plan.value }),
            ...(history.status === "fulfilled" && { history: history.value }),
          },
        });
      }
    } catch (error) {
      this.#showProblem(error);
    }
  }

  #showProblem(error: unknown): void {
    const { details } = this.state;
    this.#update({ details: { id: details?.id, offer: details?.offer, ...details, problem: messageOf(error) } });
  }

  /** Closes the details. */
  closeDetails(): void {
    this.#update({ details: undefined });
    this.#go({ offer: undefined });
  }

  /** Whether the listing at a position is marked. */
  isMarked(at: number): boolean {
    const { catalog, marks } = this.state;
    if (catalog === undefined || marks.length === 0) {
      return false;
    }
    const identity = JSON.stringify(identityAt(catalog, at));
    return marks.some((mark) => JSON.stringify(mark.identity) === identity);
  }

  /** Marks a listing for the comparison, or removes its mark. */
  async toggleMark(at: number): Promise<void> {
    const { catalog, marks, address } = this.state;
    if (catalog === undefined) {
      return;
    }
    const identity = identityAt(catalog, at);
    const text = JSON.stringify(identity);
    const others = marks.filter((mark) => JSON.stringify(mark.identity) !== text);
    if (others.length < marks.length) {
      this.#update({ marks: others });
    } else if (marks.length < MAX_COMPARED) {
      const pending: Mark = { id: "", offer: listingAt(catalog, at, false).offer, identity };
      this.#update({ marks: [...marks, pending] });
      const id = await this.#idAt(at).catch(() => undefined);
      const now = this.state.marks.filter((mark) => mark !== pending);
      this.#update({
        marks: id === undefined ? now : this.state.marks.map((mark) => (mark === pending ? { ...mark, id } : mark)),
      });
    }
    if (address.compare !== undefined) {
      this.showComparison();
    }
  }

  /** Removes a mark. */
  unmark(id: string): void {
    this.#update({ marks: this.state.marks.filter((mark) => mark.id !== id) });
    this.showComparison();
  }

  /** Opens the comparison of the marked offers. */
  showComparison(): void {
    const ids = this.state.marks.flatMap(({ id }) => (id === "" ? [] : [id]));
    this.#go({ compare: ids.length === 0 ? undefined : ids });
  }

  /** Closes the comparison; the marks stay. */
  closeComparison(): void {
    this.#go({ compare: undefined });
  }

  /** Shows the GPUs, or the list. */
  async goTo(view: Address["view"], gpu?: string): Promise<void> {
    const given = gpu === undefined ? this.state.address.given : withParameter(this.state.address.given, "gpu", gpu);
    this.#evaluate({
      address: { ...this.state.address, given, view, offer: undefined, compare: undefined, problems: [] },
    });
    this.#update({ details: undefined });
    this.#writeLocation("pushState");
    if (view === "gpus") {
      await this.showGpus(given.get("gpu"));
    }
  }

  /** Loads the models, and the prices of one. */
  async showGpus(name: string | undefined): Promise<void> {
    try {
      const gpus = this.state.gpus.gpus ?? (await service.listGpus()).gpus;
      const first = name?.split(",")[0] ?? gpus.find(({ slug }) => slug === "h100-sxm")?.slug ?? gpus[0]?.slug;
      this.#update({ gpus: { gpus, ...(first !== undefined && { shown: first }) } });
      if (first !== undefined) {
        this.#update({ gpus: { gpus, shown: first, prices: await service.getGpuPrices(first) } });
      }
    } catch (error) {
      this.#update({ gpus: { ...this.state.gpus, problem: messageOf(error) } });
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function quotedId(id: string): string {
  return JSON.stringify(id.slice(0, 60));
}
