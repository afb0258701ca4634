import type { CompactList } from "@gpu-offers/list";
import { findPosition, type Identity } from "./catalog.js";
import type { PageStore } from "./page-state.js";
import * as service from "./service.js";

// Loads the list, and follows new catalogs. If the service is gone, the last list stays.

/** Milliseconds between two looks for a newer catalog while the page is visible. */
const FRESH_MS = 60_000;

/** Loads the list of the service whenever there is a newer one. */
export class ListLoader {
  #tag: string | undefined;

  constructor(
    private readonly store: PageStore,
    private readonly replace: (list: CompactList) => void,
  ) {}

  /**
   * From now on, looks for a newer catalog each minute and whenever the page becomes visible, and loads what failed again when
   * the page is used again.
   */
  follow(): void {
    const look = (): void => {
      if (document.visibilityState === "visible" && !this.store.state.isTooLarge) {
        void this.load();
      }
    };
    const recover = (): void => Object.values(this.store.parts).forEach((part) => part.retryIfPassing());
    document.addEventListener("visibilitychange", look);
    setInterval(look, FRESH_MS);
    for (const event of ["visibilitychange", "focus", "online"]) {
      addEventListener(event, recover, { capture: true });
    }
  }

  /** Loads the list if there is a newer one; a load that is under way is awaited. */
  load(): Promise<void> {
    const { list } = this.store.parts;
    return list.status === "loading" ? list.done : list.load(() => this.#read());
  }

  async #read(): Promise<void> {
    try {
      const tagged = await service.loadList(this.#tag);
      if (tagged !== undefined) {
        this.replace(tagged.list);
        this.#tag = tagged.tag;
      }
      this.store.update({ keyProblem: undefined, loadedAtMs: Date.now(), nowMs: Date.now() });
    } catch (error) {
      const status = error instanceof service.RequestError ? error.status : undefined;
      if (status === 401) {
        this.store.update({ keyProblem: service.dropKey() });
      }
      this.store.update({ nowMs: Date.now(), isTooLarge: status === 404 && this.#tag === undefined });
      throw error;
    }
  }

  /**
   * The id of a listing; undefined if it is gone. The list has none: positions in the same catalog do their work. If the
   * service has another catalog, that is loaded first.
   * @throws RequestError if the service can't be asked.
   */
  async idOf(identity: Identity): Promise<string | undefined> {
    const { catalog } = this.store.state;
    const id = await this.#findId(identity);
    if (id !== undefined) {
      return id;
    }
    await this.load();
    return this.store.state.catalog === catalog ? undefined : this.#findId(identity);
  }

  async #findId(identity: Identity): Promise<string | undefined> {
    const { catalog } = this.store.state;
    const at = catalog && findPosition(catalog, identity);
    if (catalog === undefined || at === undefined) {
      return undefined;
    }
    const { columns, gone, etag } = catalog.list;
    return gone[at - columns.size + gone.length] ?? (await service.findOfferAt(at, etag))?.id;
  }
}
