import type { IncomingMessage } from "node:http";

// Which pages of other origins may read answers (CORS_ORIGINS), errors of every layer among them.

const READERS = {
  "Access-Control-Expose-Headers":
    "ETag, Age, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id",
} as const;

const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, If-None-Match, X-Request-Id",
  "Access-Control-Max-Age": "600",
} as const;

const NONE = {} as const;
const VARIES = { Vary: "Origin" } as const;

/** The headers that answer a request of a page, by the origins that may read: `*` for all, none for none. */
export function corsHeaders(
  origins: readonly string[],
  { method, headers: { origin } }: Pick<IncomingMessage, "method" | "headers">,
): Readonly<Record<string, string>> {
  if (origins.length === 0) {
    return NONE;
  }
  const isForAll = origins.includes("*");
  if (!isForAll && (origin === undefined || !origins.includes(origin))) {
    return VARIES;
  }
  return {
    ...(isForAll ? {} : VARIES),
    "Access-Control-Allow-Origin": isForAll ? "*" : (origin ?? ""),
    ...READERS,
    ...(method === "OPTIONS" ? PREFLIGHT : {}),
  };
}
