/** Numbers per entry: the four words of the id, and its position from 1. A free entry has position 0. */
const WORDS = 5;
const PLACE = 4;

const FIRST_CAPACITY = 1024;

/**
 * Tracks the ids of a source and the first position of each, so that duplicates are found while the source is still being
 * read. A source may have millions: this open hash table of numbers takes about 40 bytes per id, a Map of strings 150.
 */
export class DuplicateTracker {
  #entries = new Uint32Array(FIRST_CAPACITY * WORDS);
  #capacity = FIRST_CAPACITY;
  #size = 0;
  // Odd and random, so that no file can be crafted whose ids all collide.
  readonly #factors = Array.from({ length: PLACE }, () => Math.trunc(Math.random() * 2 ** 31) * 2 + 1);

  /** Adds an id, a UUID. Returns the position of the first one if it is a duplicate. */
  add(id: string, place: number): number | undefined {
    const words = wordsOf(id);
    const at = this.#find(words);
    const first = this.#entries[at + PLACE] ?? 0;
    if (first !== 0) {
      return first - 1;
    }
    this.#entries.set(words, at);
    this.#entries[at + PLACE] = place + 1;
    this.#size += 1;
    if (this.#size * 4 > this.#capacity * 3) {
      this.#grow();
    }
    return undefined;
  }

  /** The slot of the id, or the slot to insert it. */
  #find(words: ArrayLike<number>): number {
    let slot = this.#slotOf(words);
    for (;;) {
      const at = slot * WORDS;
      if (this.#entries[at + PLACE] === 0 || this.#has(words, at)) {
        return at;
      }
      slot = (slot + 1) & (this.#capacity - 1);
    }
  }

  /** The slot where the search for an id starts: of the sum of products, the high bits depend on all digits. */
  #slotOf(words: ArrayLike<number>): number {
    const hash = this.#factors.reduce((sum, factor, word) => sum + Math.imul(factor, words[word] ?? 0), 0);
    return hash >>> (Math.clz32(this.#capacity) + 1);
  }

  #has(words: ArrayLike<number>, at: number): boolean {
    for (let word = 0; word < PLACE; word += 1) {
      if (this.#entries[at + word] !== words[word]) {
        return false;
      }
    }
    return true;
  }

  #grow(): void {
    const old = this.#entries;
    this.#capacity *= 2;
    this.#entries = new Uint32Array(this.#capacity * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + PLACE] !== 0) {
        const entry = old.subarray(at, at + WORDS);
        this.#entries.set(entry, this.#find(entry));
      }
    }
  }
}

function wordsOf(uuid: string): number[] {
  const digits = uuid.replaceAll("-", "");
  return [0, 8, 16, 24].map((start) => Number.parseInt(digits.slice(start, start + 8), 16));
}
