import { findPosition, identityAt } from "./catalog.js";
import type { ListLoader } from "./list-loader.js";
import type { PageStore } from "./page-state.js";
import * as service from "./service.js";

/** Finds the ids of listings. The list has none: positions in the same catalog do their work. */
export class ListingIds {
  constructor(
    private readonly store: PageStore,
    private readonly loader: ListLoader,
  ) {}

  /**
   * The id of the listing at a position; undefined if it is gone. If the service has another catalog, that is loaded first.
   * @throws RequestError if the service can't be asked.
   */
  async idAt(at: number): Promise<string | undefined> {
    const { catalog } = this.store.state;
    if (catalog === undefined) {
      return undefined;
    }
    const found = await service.findOfferAt(at, catalog.list.etag);
    if (found !== undefined) {
      return found.id;
    }
    const identity = identityAt(catalog, at);
    await this.loader.load();
    const now = this.store.state.catalog;
    const place = now === undefined || now === catalog ? undefined : findPosition(now, identity);
    return place === undefined || now === undefined ? undefined : (await service.findOfferAt(place, now.list.etag))?.id;
  }
}
