import { Injectable } from "@nestjs/common";
import type { ListingCatalog } from "@gpu-offers/domain";
import { Catalog } from "../catalog/catalog.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { indexListings, ListingView } from "./listing-view.js";

/** Keeps the listings of the served catalog until it or the age of its prices changes. */
@Injectable()
export class ListingViewCache {
  #indexed: { snapshot: Snapshot; catalog: Promise<ListingCatalog> } | undefined;
  #view: { view: ListingView; freshness: Catalog["freshness"] } | undefined;

  constructor(private readonly catalog: Catalog) {}

  /** @throws NoCatalogError until a catalog is loaded. */
  async get(): Promise<ListingView> {
    const snapshot = this.catalog.getSnapshot();
    const { freshness } = this.catalog;
    if (this.#view?.view.snapshot === snapshot && this.#view.freshness === freshness) {
      return this.#view.view;
    }
    if (this.#indexed?.snapshot !== snapshot) {
      this.#indexed = { snapshot, catalog: indexListings(snapshot) };
    }
    const view = new ListingView(snapshot, freshness, await this.#indexed.catalog);
    this.#view = { view, freshness };
    return view;
  }
}
