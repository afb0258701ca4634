/** A response that the service may call unchanged. */
export interface KeptResponse {
  /** Its entity tag, as it came. */
  etag: string;
  /** Its body. The text, not the value: callers may change what they are given. */
  text: string;
}

/** Characters of URLs and bodies that a client keeps: some 25,000 offers. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

/** The last responds by URL. When they are too many, those that were not used for the longest time go. */
export class KeptResponses {
  readonly #responses = new Map<string, KeptResponse>();
  #characters = 0;

  constructor(private readonly maxCharacters = MAX_KEPT_CHARACTERS) {}

  /** The kept response of a URL; undefined where there is none. */
  find(url: string): KeptResponse | undefined {
    const response = this.#responses.get(url);
    if (response !== undefined) {
      // A Map keeps the order of insertion, so the first is the one that was not used for longest.
      this.#responses.delete(url);
      this.#responses.set(url, response);
    }
    return response;
  }

  /** Keeps the newest response of a URL, unless it alone is too large. */
  keep(url: string, response: KeptResponse): void {
    this.drop(url);
    const characters = sizeOf(url, response);
    if (characters > this.maxCharacters) {
      return;
    }
    this.#responses.set(url, response);
    this.#characters += characters;
    for (const oldest of this.#responses.keys()) {
      if (this.#characters <= this.maxCharacters) {
        break;
      }
      this.drop(oldest);
    }
  }

  /** Forgets the response of a URL. */
  drop(url: string): void {
    const response = this.#responses.get(url);
    if (response !== undefined) {
      this.#responses.delete(url);
      this.#characters -= sizeOf(url, response);
    }
  }
}

function sizeOf(url: string, { etag, text }: KeptResponse): number {
  return url.length + etag.length + text.length;
}
