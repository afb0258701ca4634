import { MAX_COMPARED } from "@gpu-offers/list";
import { identityAt, identityOf, listingAt } from "./catalog.js";
import type { ListLoader } from "./list-loader.js";
import type { Mark, PageStore } from "./page-state.js";
import * as service from "./service.js";

/** The offers that are marked for the comparison. */
export class Marks {
  constructor(
    private readonly store: PageStore,
    private readonly loader: ListLoader,
  ) {}

  /** The mark of the listing at a position, if it has one. */
  of(at: number): Mark | undefined {
    const { catalog, marks } = this.store.state;
    if (catalog === undefined || marks.length === 0) {
      return undefined;
    }
    const text = JSON.stringify(identityAt(catalog, at));
    return marks.find(({ identity }) => JSON.stringify(identity) === text);
  }

  /** Marks the listing at a position, or removes its mark. Without a service to ask, the mark stays without an id. */
  async toggle(at: number): Promise<void> {
    const { catalog, marks } = this.store.state;
    const mark = this.of(at);
    if (mark !== undefined) {
      this.replace(mark);
    } else if (catalog !== undefined && marks.length < MAX_COMPARED) {
      const listing = listingAt(catalog, at, false);
      const added: Mark = { id: undefined, listing, identity: identityOf(listing) };
      this.#set([...marks, added]);
      const id = await this.loader.idOf(added.identity).catch(() => undefined);
      this.replace(added, { ...added, id });
    }
  }

  replace(mark: Mark, by?: Mark): void {
    this.#set(this.store.state.marks.flatMap((one) => (one === mark ? (by ?? []) : one)));
  }

  /** Opens the comparison of the marked offers, in the place of details. */
  compare(): void {
    this.store.update({ details: undefined });
    this.store.go({ compare: this.#ids(), offer: undefined });
  }

  /** Sets the marks. The open comparison, and its address, have them, too; without any it closes. */
  #set(marks: readonly Mark[]): void {
    this.store.update({ marks });
    const { address } = this.store.state;
    if (address.compare !== undefined) {
      this.store.update({ address: { ...address, compare: marks.length === 0 ? undefined : this.#ids() } });
      this.store.write("replaceState");
    }
  }

  #ids(): string[] {
    return this.store.state.marks.flatMap(({ id }) => id ?? []);
  }

  /** Closes the comparison; the marks stay. */
  close(): void {
    this.store.go({ compare: undefined });
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
    await Promise.all(
      this.store.state.marks.map(async (mark) => {
        if (mark.id !== undefined) {
          this.replace(mark, await this.#find(mark.id));
        }
      }),
    );
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
