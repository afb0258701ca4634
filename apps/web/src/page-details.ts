import { isDiskFixed, paidDisk, pricedOffer } from "@gpu-offers/domain";
import { findPosition, identityOf, listingAt } from "./catalog.js";
import type { ListingIds } from "./listing-ids.js";
import type { PageLocation } from "./page-location.js";
import type { Details, PageStore } from "./page-state.js";
import * as service from "./service.js";

/** Opens and closes the details of an offer. */
export class PageDetails {
  constructor(
    private readonly store: PageStore,
    private readonly location: PageLocation,
    private readonly ids: ListingIds,
  ) {}

  /** Opens the details of a position. */
  async open(at: number): Promise<void> {
    const { catalog, result } = this.store.state;
    if (catalog === undefined) {
      return;
    }
    const opened = { id: undefined, offer: pricedOffer(listingAt(catalog, at, result?.isSpot === true), false) };
    this.store.update({ cursor: at, details: opened });
    try {
      const id = await this.ids.idAt(at);
      if (this.store.state.details !== opened) {
        return;
      }
      if (id === undefined) {
        this.store.update({ details: { ...opened, problem: "This offer is no longer in the catalog." } });
      } else {
        this.store.update({ details: { ...opened, id } });
        this.location.go({ offer: id });
        await this.#read(id);
      }
    } catch (error) {
      if (this.store.state.details === opened) {
        this.store.update({ details: { ...opened, problem: service.messageOf(error) } });
      }
    }
  }

  /** Shows what the address names. */
  async follow(id: string | undefined): Promise<void> {
    const { details } = this.store.state;
    if (id === undefined && details !== undefined) {
      this.store.update({ details: undefined });
    } else if (id !== undefined && id !== details?.id) {
      this.store.update({ details: { id, offer: undefined } });
      await this.#read(id);
    }
  }

  /** Reads the open offer again: a new catalog may have another price. */
  async refresh(): Promise<void> {
    const id = this.store.state.details?.id;
    if (id !== undefined) {
      await this.#read(id);
    }
  }

  /** Closes the details. */
  close(): void {
    this.store.update({ details: undefined });
    this.location.go({ offer: undefined });
  }

  /** Reads an offer whose details are open. What comes after they were closed is dropped. */
  async #read(id: string): Promise<void> {
    try {
      const listing = await service.getListing(id);
      const { offer } = listing;
      const { catalog, result, cursor } = this.store.state;
      const position = catalog && findPosition(catalog, identityOf(listing));
      if (!this.#change(id, { offer, listing, problem: undefined })) {
        return;
      }
      this.store.update({ cursor: position ?? cursor });
      const priced = pricedOffer(listing, false);
      const diskGb = isDiskFixed(priced) || result?.diskGb === undefined ? undefined : paidDisk(priced, result.diskGb);
      const [plan, history] = await Promise.allSettled([
        service.getLaunchPlan(id, {
          ...(diskGb !== undefined && { diskGb }),
          ...(result?.hours !== undefined && { hours: result.hours }),
          isSpot: result?.isSpot === true && listing.spot !== null,
        }),
        service.getHistory(id),
      ]);
      this.#change(id, {
        ...(plan.status === "fulfilled" && { plan: plan.value }),
        ...(history.status === "fulfilled" && { history: history.value }),
      });
    } catch (error) {
      this.#change(id, { problem: service.messageOf(error) });
    }
  }

  /** Changes the details of an offer. @returns false if they aren't open. */
  #change(id: string, change: Partial<Details>): boolean {
    const { details } = this.store.state;
    if (details?.id !== id) {
      return false;
    }
    this.store.update({ details: { ...details, ...change } });
    return true;
  }
}
