import type { CompactList } from "@gpu-offers/list";
import type { PageStore } from "./page-state.js";
import * as service from "./service.js";

// Loads the list, and follows new catalogs. If the service is gone, the last list stays.

/** Milliseconds between two looks for a newer catalog while the page is visible. */
const FRESH_MS = 60_000;

/** Loads the list of the service whenever there is a newer one. */
export class ListLoader {
  #tag: string | undefined;
  #loading: Promise<void> | undefined;

  constructor(
    private readonly store: PageStore,
    private readonly replace: (list: CompactList) => Promise<void>,
  ) {}

  /** Looks for a newer catalog from now on, each minute and whenever the page becomes visible. */
  follow(): void {
    const look = (): void => {
      if (document.visibilityState === "visible" && !this.store.state.isTooLarge) {
        void this.load();
      }
    };
    document.addEventListener("visibilitychange", look);
    setInterval(look, FRESH_MS);
  }

  /** Loads the list if there is a newer one; a load that is under way is awaited. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const tagged = await service.loadList(this.#tag);
      if (tagged !== undefined) {
        await this.replace(tagged.list);
        this.#tag = tagged.tag;
      }
      this.store.update({ failure: undefined, keyProblem: undefined, loadedAtMs: Date.now(), nowMs: Date.now() });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const status = error instanceof service.RequestError ? error.status : undefined;
    if (status === 401) {
      const hadKey = service.dropKey();
      this.store.update({ keyProblem: hadKey ? "The service rejected this key." : "This service needs an API key." });
    } else {
      this.store.update({
        failure: service.messageOf(error),
        nowMs: Date.now(),
        isTooLarge: status === 404 && this.#tag === undefined,
      });
    }
  }
}
