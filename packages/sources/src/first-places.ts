import { Refusal } from "./refusal.js";

/** Numbers of an entry: the four words of the id, and its place counted from 1. A free one has the place 0. */
const WORDS = 5;
const PLACE = 4;

const FIRST_CAPACITY = 1024;

/**
 * Remembers where each id of a source came first, so that a second one can be refused. A source may hold millions: an
 * open hash table of numbers takes about 40 bytes an id, where a Map of texts takes 150.
 */
export class FirstPlaces {
  private entries = new Uint32Array(FIRST_CAPACITY * WORDS);
  private capacity = FIRST_CAPACITY;
  private size = 0;
  // At random, or a file could be written whose ids all fall together.
  private readonly seed = Math.trunc(Math.random() * 2 ** 32);

  /** @param show Writes a place for people: `line 17`, `offers[12]`. */
  constructor(private readonly show: (place: number) => string) {}

  /** Remembers the id, a UUID, or refuses it when it came before. `what` names what is the same. */
  check(id: string, place: number, what: string): Refusal | undefined {
    const words = wordsOf(id);
    const at = this.find(words);
    const first = this.entries[at + PLACE] ?? 0;
    if (first !== 0) {
      return new Refusal("duplicate", `${what} came before, at ${this.show(first - 1)}.`);
    }
    this.entries.set(words, at);
    this.entries[at + PLACE] = place + 1;
    this.size += 1;
    if (this.size * 4 > this.capacity * 3) {
      this.grow();
    }
    return undefined;
  }

  /** Where the id is, or else where it belongs. */
  private find(words: ArrayLike<number>): number {
    let slot = hashOf(words, this.seed) & (this.capacity - 1);
    for (;;) {
      const at = slot * WORDS;
      if (this.entries[at + PLACE] === 0 || this.has(words, at)) {
        return at;
      }
      slot = (slot + 1) & (this.capacity - 1);
    }
  }

  private has(words: ArrayLike<number>, at: number): boolean {
    for (let word = 0; word < PLACE; word += 1) {
      if (this.entries[at + word] !== words[word]) {
        return false;
      }
    }
    return true;
  }

  private grow(): void {
    const old = this.entries;
    this.capacity *= 2;
    this.entries = new Uint32Array(this.capacity * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + PLACE] !== 0) {
        const entry = old.subarray(at, at + WORDS);
        this.entries.set(entry, this.find(entry));
      }
    }
  }
}

function wordsOf(uuid: string): number[] {
  const digits = uuid.replaceAll("-", "");
  return [0, 8, 16, 24].map((start) => Number.parseInt(digits.slice(start, start + 8), 16));
}

/** The words mixed as MurmurHash3 does. */
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
