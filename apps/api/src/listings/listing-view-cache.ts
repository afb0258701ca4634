import { Injectable } from "@nestjs/common";
import type { ListingCatalog } from "@gpu-offers/domain";
import { Catalog } from "../catalog/catalog.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { indexListings, ListingView } from "./listing-view.js";

/** Keeps the listings of the served catalog until it or the age of its prices changes. */
@Injectable()
export class ListingViewCache {
  /** @throws NoCatalogError until a catalog is loaded. */
  readonly get: () => ListingView;

  constructor(catalog: Catalog) {
    // The index doesn't depend on the age of prices.
    let indexed: { snapshot: Snapshot; catalog: ListingCatalog } | undefined;
    this.get = catalog.derive((snapshot, freshness) => {
      if (indexed?.snapshot !== snapshot) {
        indexed = { snapshot, catalog: indexListings(snapshot) };
      }
      return new ListingView(snapshot, freshness, indexed.catalog);
    });
  }
}
