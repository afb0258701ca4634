import type { ListingDetails } from "@gpu-offers/domain";
import { askedDisk } from "@gpu-offers/domain/launching";
import { findPosition, identityAt, identityOf, listingAt } from "./catalog.js";
import type { ListLoader } from "./list-loader.js";
import type { Details, PageStore } from "./page-state.js";
import * as service from "./service.js";

/** Opens and closes the details of an offer. */
export class PageDetails {
  constructor(
    private readonly store: PageStore,
    private readonly loader: ListLoader,
  ) {}

  async open(at: number): Promise<void> {
    const { catalog, result } = this.store.state;
    if (catalog === undefined) {
      return;
    }
    const identity = identityAt(catalog, at);
    const { offer } = listingAt(catalog, at, result?.isSpot === true);
    const opened = { id: undefined, offer };
    this.#show(opened);
    this.store.update({ cursor: at });
    let id: string | undefined;
    await this.store.parts.listing.load(async () => {
      id ??= await this.loader.idOf(identity);
      if (id === undefined) {
        throw new service.RequestError(404, "This offer is no longer in the catalog.");
      }
      if (this.store.state.details === opened) {
        this.store.update({ details: { id, offer } });
        this.store.go({ offer: id });
      }
      return this.#read(id);
    });
  }

  /** Shows what the address names. */
  async follow(id: string | undefined): Promise<void> {
    const { details } = this.store.state;
    if (id === undefined ? details !== undefined : id !== details?.id) {
      this.#show(id === undefined ? undefined : { id, offer: undefined });
      await this.refresh();
    }
  }

  /** Reads the open offer again: a new catalog may have another price. */
  async refresh(): Promise<void> {
    const id = this.store.state.details?.id;
    if (id !== undefined) {
      await this.store.parts.listing.load(() => this.#read(id));
    }
  }

  close(): void {
    this.#show(undefined);
    this.store.go({ offer: undefined });
  }

  #show(details: Details | undefined): void {
    const { listing, history, launch } = this.store.parts;
    [listing, history, launch].forEach((part) => part.reset());
    this.store.update({ details });
  }

  /** Reads an offer, and then its history and launch texts. What comes after its details were closed is dropped. */
  async #read(id: string): Promise<ListingDetails> {
    const listing = await service.getListing(id);
    const { catalog, cursor, details } = this.store.state;
    if (details?.id === id) {
      const position = catalog && findPosition(catalog, identityOf(listing));
      this.store.update({ details: { ...details, offer: listing.offer }, cursor: position ?? cursor });
      void this.store.parts.history.load(() => service.getHistory(id));
      void this.#loadPlan(id, listing);
    }
    return listing;
  }

  /** Launch texts that take the first of some offers which can be had. */
  async planOf(top: number | undefined): Promise<void> {
    const { details } = this.store.state;
    const listing = this.store.parts.listing.value;
    if (details?.id !== undefined && listing !== undefined) {
      this.store.update({ details: { ...details, top } });
      await this.#loadPlan(details.id, listing);
    }
  }

  async #loadPlan(id: string, listing: ListingDetails): Promise<void> {
    const { details, result } = this.store.state;
    const spot: true | undefined = result?.isSpot === true && listing.spot !== null ? true : undefined;
    const choice = {
      disk: result && askedDisk(result.query),
      fits: result?.query.fits,
      hours: result?.hours,
      spot,
      top: details?.top,
    };
    await this.store.parts.launch.load(() => service.getLaunchPlan(id, choice));
  }
}
