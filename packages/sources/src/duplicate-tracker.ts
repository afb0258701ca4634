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
  // Random, so that no file can be crafted whose ids all collide.
  readonly #seed = Math.trunc(Math.random() * 2 ** 32);

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
    let slot = hashOf(words, this.#seed) & (this.#capacity - 1);
    for (;;) {
      const at = slot * WORDS;
      if (this.#entries[at + PLACE] === 0 || this.#has(words, at)) {
        return at;
      }
      slot = (slot + 1) & (this.#capacity - 1);
    }
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

/** Mixes the words like MurmurHash3. */
function hashOf(words: ArrayLike<number>, seed: number): number {
  let hash = seed;
  for (let word = 0; word < PLACE; word += 1) {
    const mixed = Math.imul(words[word] ?? 0, 0xcc_9e_2d_51);
    hash ^= Math.imul((mixed << 15) | (mixed >>> 17), 0x1b_87_35_93);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6_54_6b_64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
