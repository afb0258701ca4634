/** A cached response. */
interface CachedResponse {
  /** Its entity tag. */
  etag: string;
  /** Its body as text, not as a value, which callers may modify. */
  text: string;
}

/** Maximum characters of cached URLs and bodies: about 25,000 offers. */
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/** Caches the latest response of each URL. Evicts the least recently used ones. */
export class ResponseCache {
  readonly #responses = new Map<string, CachedResponse>();
  #characters = 0;

  constructor(private readonly maxCharacters = MAX_CACHED_CHARACTERS) {}

  /** The cached response of a URL; undefined if there is none. */
  get(url: string): CachedResponse | undefined {
    const response = this.#responses.get(url);
    if (response !== undefined) {
      // A Map keeps insertion order, so the first entry is the least recently used one.
      this.#responses.delete(url);
      this.#responses.set(url, response);
    }
    return response;
  }

  /** Caches a response, unless it alone exceeds the maximum. */
  set(url: string, response: CachedResponse): void {
    this.delete(url);
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
      this.delete(oldest);
    }
  }

  /** Removes the response of a URL. */
  delete(url: string): void {
    const response = this.#responses.get(url);
    if (response !== undefined) {
      this.#responses.delete(url);
      this.#characters -= sizeOf(url, response);
    }
  }
}

function sizeOf(url: string, { etag, text }: CachedResponse): number {
  return url.length + etag.length + text.length;
}
