import type { IncomingMessage } from "node:http";

// Standard headers of every response, as flat lists of names and values, which Node sends without conversion.

export const JSON_TYPE = "application/json; charset=utf-8";

/** Names and values in turn, as `writeHead` takes them. */
export type FlatHeaders = readonly string[];

export function* headerPairs(headers: FlatHeaders): Generator<[name: string, value: string]> {
  for (const [index, name] of headers.entries()) {
    const value = headers[index + 1];
    if (index % 2 === 0 && value !== undefined) {
      yield [name, value];
    }
  }
}

/**
 * Headers of every response. The documentation pages have their own policy (openapi/pages.ts).
 * Strict-Transport-Security is left to the proxy, where TLS ends (docs/operations/deploy.md). Cross-Origin-Resource-Policy
 * affects pages that embed a response without CORS; pages of CORS_ORIGINS can still read it.
 */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const SECURITY: FlatHeaders = Object.entries(SECURITY_HEADERS).flat();

/**
 * The standard headers of a catalog response's 304: those of {@link ResponseHeaders.of} without the policies, which the
 * client's copy has. A 304 only has what guides the update of that copy (RFC 9110, 15.4.5), and what scanners expect of all.
 */
export function headersOfNotModified(headers: FlatHeaders): FlatHeaders {
  // The security headers come first, and this one before the policies.
  return [...SECURITY.slice(0, 2), ...headers.slice(SECURITY.length)];
}

/** Headers readable by pages of other origins. */
const EXPOSED = [
  "Access-Control-Expose-Headers",
  "ETag, Age, Catalog-As-Of, Catalog-Stale-Providers, Deprecation, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id",
];

const PREFLIGHT = [
  "Access-Control-Allow-Methods",
  "GET, HEAD",
  "Access-Control-Allow-Headers",
  "Authorization, If-None-Match, X-Request-Id",
  "Access-Control-Max-Age",
  "600",
];

const VARIES = ["Vary", "Origin"];

/** The security headers of every response, and its CORS headers for allowed origins. */
export class ResponseHeaders {
  readonly #others: FlatHeaders;
  readonly #byOrigin: ReadonlyMap<string, FlatHeaders>;
  readonly #isForAll: boolean;

  /** @param origins see CORS_ORIGINS: `*` for all, empty for none. */
  constructor(origins: readonly string[]) {
    this.#isForAll = origins.includes("*");
    const allowed = (origin: string): FlatHeaders => ["Access-Control-Allow-Origin", origin, ...EXPOSED];
    if (this.#isForAll) {
      this.#others = [...SECURITY, ...allowed("*")];
      this.#byOrigin = new Map();
    } else {
      this.#others = origins.length === 0 ? SECURITY : [...SECURITY, ...VARIES];
      this.#byOrigin = new Map(origins.map((origin) => [origin, [...SECURITY, ...VARIES, ...allowed(origin)]]));
    }
  }

  /** The standard headers of the response to a request with this Origin. */
  of(origin: string | undefined): FlatHeaders {
    return (origin === undefined ? undefined : this.#byOrigin.get(origin)) ?? this.#others;
  }

  /** The headers of the response to OPTIONS (a browser's preflight request). */
  ofPreflight({ headers: { origin } }: Pick<IncomingMessage, "headers">): FlatHeaders {
    const isAllowed = this.#isForAll || (origin !== undefined && this.#byOrigin.has(origin));
    return isAllowed ? [...this.of(origin), ...PREFLIGHT] : this.of(origin);
  }
}

/** Cache-Control of a response, `isPrivate` if only for callers with a key; after 0 seconds caches must revalidate. */
export function cacheControl(isPrivate: boolean, maxAgeSeconds: number): string {
  const scope = isPrivate ? "private" : "public";
  return maxAgeSeconds === 0 ? `${scope}, no-cache` : `${scope}, max-age=${maxAgeSeconds}`;
}
