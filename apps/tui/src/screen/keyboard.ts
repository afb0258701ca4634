import { KeyDecoder, type Key } from "../picker/key-decoder.js";

/** How long an Esc waits for what may follow it, in milliseconds: the pieces of a sequence come together. */
const ESCAPE_WAIT_MS = 25;

/** Keys out of a terminal's input; an Esc is one as soon as nothing followed it. */
export class Keyboard {
  readonly #decoder = new KeyDecoder();
  readonly #onKeys: (keys: readonly Key[]) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onKeys: (keys: readonly Key[]) => void) {
    this.#onKeys = onKeys;
  }

  /** Takes a piece of input. */
  readonly receive = (text: string): void => {
    clearTimeout(this.#timer);
    const keys = this.#decoder.decode(text);
    if (this.#decoder.isWaiting) {
      this.#timer = setTimeout(() => this.#onKeys(this.#decoder.flush()), ESCAPE_WAIT_MS);
    }
    if (keys.length > 0) {
      this.#onKeys(keys);
    }
  };

  /** Forgets an Esc that waits. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
