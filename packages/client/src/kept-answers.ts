/** An answer that the service may call unchanged. */
export interface KeptAnswer {
  /** Its entity tag, as it came. */
  etag: string;
  /** Its body. The text, not the value: callers may change what they are given. */
  text: string;
}

/** Characters of URLs and bodies that a client keeps: some 25,000 offers. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

/** The last answers by URL. When they are too many, those that were not used for the longest time go. */
export class KeptAnswers {
  readonly #answers = new Map<string, KeptAnswer>();
  #characters = 0;

  constructor(private readonly maxCharacters = MAX_KEPT_CHARACTERS) {}

  /** The kept answer of a URL; undefined where there is none. */
  find(url: string): KeptAnswer | undefined {
    const answer = this.#answers.get(url);
    if (answer !== undefined) {
      // A Map keeps the order of insertion, so the first is the one that was not used for longest.
      this.#answers.delete(url);
      this.#answers.set(url, answer);
    }
    return answer;
  }

  /** Keeps the newest answer of a URL, unless it alone is too large. */
  keep(url: string, answer: KeptAnswer): void {
    this.drop(url);
    const characters = sizeOf(url, answer);
    if (characters > this.maxCharacters) {
      return;
    }
    this.#answers.set(url, answer);
    this.#characters += characters;
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= this.maxCharacters) {
        break;
      }
      this.drop(oldest);
    }
  }

  /** Forgets the answer of a URL. */
  drop(url: string): void {
    const answer = this.#answers.get(url);
    if (answer !== undefined) {
      this.#answers.delete(url);
      this.#characters -= sizeOf(url, answer);
    }
  }
}

function sizeOf(url: string, { etag, text }: KeptAnswer): number {
  return url.length + etag.length + text.length;
}
