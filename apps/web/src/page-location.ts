import type { Address } from "@gpu-offers/list";
import { readAddress, writeAddress } from "./address.js";
import type { PageStore } from "./page-state.js";
import { KeptPlace } from "./kept-place.js";
import { browserStorage } from "./storage.js";

// The address bar. Typing replaces the address; opening something adds to the history.

/** Milliseconds after the last key before the address changes. */
const WRITTEN_MS = 200;

const DISK_NAME = "gpu-offers-disk";

/** Writes the state into the address. */
export class PageLocation {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: PageStore) {}

  /** Where one is in the list. */
  readonly place = new KeptPlace();

  /** Writes the address after the last key. */
  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write("replaceState"), WRITTEN_MS);
  }

  write(how: "pushState" | "replaceState"): void {
    clearTimeout(this.#timer);
    const search = writeAddress(this.store.state.address);
    if (search !== location.search) {
      this.place.write();
      history[how](history.state, "", `${location.pathname}${search}`);
    }
  }

  /** Shows another address, to which "back" returns from the next. */
  go(change: Partial<Address>): void {
    this.store.update({ address: { ...this.store.state.address, ...change } });
    this.write("pushState");
  }
}

/** Reads the address. Without any query it has the disk that was typed last: a link is the same for everyone. */
export function readLocation(): Address {
  const disk = location.search === "" ? browserStorage.getItem(DISK_NAME) : null;
  return readAddress(disk === null ? location.search : `?${new URLSearchParams({ disk })}`);
}

/** Remembers the disk that was typed last; an empty text forgets it. */
export function rememberDisk(text: string): void {
  if (text === "") {
    browserStorage.removeItem(DISK_NAME);
  } else {
    browserStorage.setItem(DISK_NAME, text);
  }
}
