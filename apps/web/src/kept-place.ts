import type { Identity } from "./catalog.js";

/** Where one is in the list: a row, where it stands in the window, and which groups are open. */
export interface Place {
  row: Identity;
  /** Distance of the row from the top of the window, px. */
  top: number;
  open: readonly string[];
}

/** Milliseconds after the last scrolling before the place is kept: browsers limit how often it may be. */
const KEPT_MS = 250;

/** Keeps the place with each entry of the browser's history, so that Back and a reload return to the row, not to a height. */
export class KeptPlace {
  #latest: Place | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The place to show with the next rows. */
  #wanted: Place | undefined;

  constructor() {
    history.scrollRestoration = "manual";
    addEventListener("pagehide", () => this.write());
  }

  /** Shows the place of an entry of the history with the next rows. @returns the groups that were open there. */
  want(state: unknown): ReadonlySet<string> {
    this.#wanted = (state as Place | null) ?? undefined;
    return new Set(this.#wanted?.open);
  }

  /** The place to show, once. */
  take(): Place | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    return wanted;
  }

  keep(place: Place): void {
    this.#latest = place;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), KEPT_MS);
  }

  /** Writes the place into the current entry. */
  write(): void {
    clearTimeout(this.#timer);
    history.replaceState(this.#latest ?? history.state, "");
  }
}
