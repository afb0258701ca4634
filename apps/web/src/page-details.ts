import { isDiskFixed, paidDisk } from "@gpu-offers/domain";
import { findPosition, identityOf, listingAt } from "./evaluate.js";
import type { ListingIds } from "./listing-ids.js";
import type { PageLocation } from "./page-location.js";
import type { PageStore } from "./page-state.js";
import * as service from "./service.js";

/** Opens and closes the details of an offer. */
export class PageDetails {
  readonly #store: PageStore;
  readonly #location: PageLocation;
  readonly #ids: ListingIds;

  constructor(store: PageStore, location: PageLocation, ids: ListingIds) {
    this.#store = store;
    this.#location = location;
    this.#ids = ids;
  }

  /** Opens the details of a position. */
  async open(at: number): Promise<void> {
    const { catalog, result } = this.#store.state;
    if (catalog === undefined) {
      return;
    }
    const { offer } = listingAt(catalog, at, result?.isSpot === true);
    this.#store.update({ cursor: at, details: { id: undefined, offer } });
    try {
      const id = await this.#ids.idAt(at);
      if (id === undefined) {
        this.#fail("This offer is no longer in the catalog.");
      } else {
        this.#location.go({ offer: id });
        await this.#read(id);
      }
    } catch (error) {
      this.#fail(service.messageOf(error));
    }
  }

  /** Shows what the address names. */
  async follow(id: string | undefined): Promise<void> {
    const { details } = this.#store.state;
    if (id === undefined && details !== undefined) {
      this.#store.update({ details: undefined });
    } else if (id !== undefined && id !== details?.id) {
      this.#store.update({ details: { id, offer: undefined } });
      await this.#read(id);
    }
  }

  /** Closes the details. */
  close(): void {
    this.#store.update({ details: undefined });
    this.#location.go({ offer: undefined });
  }

  async #read(id: string): Promise<void> {
    try {
      const listing = await service.getListing(id);
      const { offer } = listing;
      const { catalog, result, cursor, details } = this.#store.state;
      const position = catalog && findPosition(catalog, identityOf(listing));
      this.#store.update({ details: { ...details, id, offer, listing }, cursor: position ?? cursor });
      const diskGb = isDiskFixed(offer) || result?.diskGb === undefined ? undefined : paidDisk(offer, result.diskGb);
      const [plan, history] = await Promise.allSettled([
        service.getLaunchPlan(id, {
          ...(diskGb !== undefined && { diskGb }),
          ...(result?.hours !== undefined && { hours: result.hours }),
          isSpot: result?.isSpot === true && listing.spot !== null,
        }),
        service.getHistory(id),
      ]);
      const now = this.#store.state.details;
      if (now?.id === id) {
        this.#store.update({
          details: {
            ...now,
            ...(plan.status === "fulfilled" && { plan: plan.value }),
            ...(history.status === "fulfilled" && { history: history.value }),
          },
        });
      }
    } catch (error) {
      this.#fail(service.messageOf(error));
    }
  }

  #fail(problem: string): void {
    const { details } = this.#store.state;
    this.#store.update({ details: { id: details?.id, offer: details?.offer, ...details, problem } });
  }
}
