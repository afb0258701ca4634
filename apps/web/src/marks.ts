import { MAX_COMPARED } from "./address.js";
import { identityAt, identityOf, listingAt } from "./evaluate.js";
import type { ListingIds } from "./listing-ids.js";
import type { PageLocation } from "./page-location.js";
import type { Mark, PageStore } from "./page-state.js";
import * as service from "./service.js";

/** The offers that are marked for the comparison. */
export class Marks {
  readonly #store: PageStore;
  readonly #location: PageLocation;
  readonly #listingIds: ListingIds;

  constructor(store: PageStore, location: PageLocation, ids: ListingIds) {
    this.#store = store;
    this.#location = location;
    this.#listingIds = ids;
  }

  /** Whether the listing at a position is marked. */
  has(at: number): boolean {
    const { catalog, marks } = this.#store.state;
    if (catalog === undefined || marks.length === 0) {
      return false;
    }
    const identity = JSON.stringify(identityAt(catalog, at));
    return marks.some((mark) => JSON.stringify(mark.identity) === identity);
  }

  /** Marks the listing at a position, or removes its mark. */
  async toggle(at: number): Promise<void> {
    const { catalog, marks } = this.#store.state;
    if (catalog === undefined) {
      return;
    }
    const identity = identityAt(catalog, at);
    const text = JSON.stringify(identity);
    const others = marks.filter((mark) => JSON.stringify(mark.identity) !== text);
    if (others.length < marks.length) {
      this.#store.update({ marks: others });
    } else if (marks.length < MAX_COMPARED) {
      await this.#add({ id: "", offer: listingAt(catalog, at, false).offer, identity }, at);
    }
    this.#update();
  }

  async #add(pending: Mark, at: number): Promise<void> {
    this.#store.update({ marks: [...this.#store.state.marks, pending] });
    const id = await this.#listingIds.idAt(at).catch(() => undefined);
    this.#store.update({
      marks: this.#store.state.marks.flatMap((mark) =>
        mark !== pending ? [mark] : id === undefined ? [] : [{ ...mark, id }],
      ),
    });
  }

  /** Removes a mark of the open comparison. */
  remove(id: string): void {
    this.#store.update({ marks: this.#store.state.marks.filter((mark) => mark.id !== id) });
    this.#update();
  }

  /** Opens the comparison of the marked offers. */
  compare(): void {
    this.#location.go({ compare: this.#ids() });
  }

  /** The open comparison, and its address, have the marks as they are now; without any it closes. */
  #update(): void {
    const { address, marks } = this.#store.state;
    if (address.compare !== undefined) {
      this.#store.update({ address: { ...address, compare: marks.length === 0 ? undefined : this.#ids() } });
      this.#location.write("replaceState");
    }
  }

  /** The ids that are known. */
  #ids(): string[] {
    return this.#store.state.marks.flatMap(({ id }) => (id === "" ? [] : [id]));
  }

  /** Closes the comparison; the marks stay. */
  close(): void {
    this.#location.go({ compare: undefined });
  }

  /** Marks what the address names. */
  async follow(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#addId(id)));
  }

  async #addId(id: string): Promise<void> {
    if (this.#store.state.marks.some((mark) => mark.id === id)) {
      return;
    }
    try {
      const listing = await service.getListing(id);
      const { marks } = this.#store.state;
      this.#store.update({ marks: [...marks, { id, offer: listing.offer, identity: identityOf(listing) }] });
    } catch (error) {
      const { address } = this.#store.state;
      const problem = `compare: ${JSON.stringify(id.slice(0, 60))} can't be shown. ${service.messageOf(error)}`;
      this.#store.update({ address: { ...address, problems: [...address.problems, problem] } });
    }
  }
}
