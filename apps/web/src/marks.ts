import { MAX_COMPARED } from "@gpu-offers/list";
import { identityAt, identityOf, listingAt } from "./catalog.js";
import type { ListingIds } from "./listing-ids.js";
import type { PageLocation } from "./page-location.js";
import type { Mark, PageStore } from "./page-state.js";
import * as service from "./service.js";

/** The offers that are marked for the comparison. */
export class Marks {
  constructor(
    private readonly store: PageStore,
    private readonly location: PageLocation,
    private readonly listingIds: ListingIds,
  ) {}

  /** Whether the listing at a position is marked. */
  has(at: number): boolean {
    const { catalog, marks } = this.store.state;
    if (catalog === undefined || marks.length === 0) {
      return false;
    }
    const identity = JSON.stringify(identityAt(catalog, at));
    return marks.some((mark) => JSON.stringify(mark.identity) === identity);
  }

  /** Marks the listing at a position, or removes its mark. */
  async toggle(at: number): Promise<void> {
    const { catalog, marks } = this.store.state;
    if (catalog === undefined) {
      return;
    }
    const identity = identityAt(catalog, at);
    const text = JSON.stringify(identity);
    const mark = marks.find((one) => JSON.stringify(one.identity) === text);
    if (mark !== undefined) {
      this.remove(mark);
    } else if (marks.length < MAX_COMPARED) {
      await this.#add({ id: undefined, listing: listingAt(catalog, at, false), identity }, at);
    }
  }

  /** The mark stays without an id, which the address needs, if the service can't be reached. */
  async #add(pending: Mark, at: number): Promise<void> {
    this.#set([...this.store.state.marks, pending]);
    const id = await this.listingIds.idAt(at).catch(() => undefined);
    this.#set(this.store.state.marks.map((mark) => (mark === pending ? { ...mark, id } : mark)));
  }

  /** Removes a mark. */
  remove(mark: Mark): void {
    this.#set(this.store.state.marks.filter((one) => one !== mark));
  }

  /** Opens the comparison of the marked offers, in the place of details. */
  compare(): void {
    this.store.update({ details: undefined });
    this.location.go({ compare: this.#ids(), offer: undefined });
  }

  /** Sets the marks. The open comparison, and its address, have them, too; without any it closes. */
  #set(marks: readonly Mark[]): void {
    this.store.update({ marks });
    const { address } = this.store.state;
    if (address.compare !== undefined) {
      this.store.update({ address: { ...address, compare: marks.length === 0 ? undefined : this.#ids() } });
      this.location.write("replaceState");
    }
  }

  /** The ids that are known. */
  #ids(): string[] {
    return this.store.state.marks.flatMap(({ id }) => id ?? []);
  }

  /** Closes the comparison; the marks stay. */
  close(): void {
    this.location.go({ compare: undefined });
  }

  /** Marks what the address names. */
  async follow(ids: readonly string[]): Promise<void> {
    const known = new Set(this.#ids());
    const found = await Promise.all(ids.filter((id) => !known.has(id)).map((id) => this.#find(id)));
    if (found.length > 0) {
      this.#set([...this.store.state.marks, ...found.flatMap((mark) => mark ?? [])]);
    }
  }

  /** Reads the marked offers again: a new catalog may have other prices, or no longer have them. */
  async refresh(): Promise<void> {
    await Promise.all(this.store.state.marks.map((mark) => this.#refresh(mark)));
  }

  async #refresh(mark: Mark): Promise<void> {
    const now = mark.id === undefined ? undefined : await this.#find(mark.id);
    if (now !== undefined) {
      this.#set(this.store.state.marks.map((one) => (one === mark ? now : one)));
    } else if (mark.id !== undefined) {
      this.remove(mark);
    }
  }

  /** The mark of an id; undefined if it can't be read, which is said. */
  async #find(id: string): Promise<Mark | undefined> {
    try {
      const listing = await service.getListing(id);
      return { id, listing, identity: identityOf(listing) };
    } catch (error) {
      const { address } = this.store.state;
      const problem = `compare: ${JSON.stringify(id.slice(0, 60))} can't be shown. ${service.messageOf(error)}`;
      this.store.update({ address: { ...address, problems: [...address.problems, problem] } });
      return undefined;
    }
  }
}
