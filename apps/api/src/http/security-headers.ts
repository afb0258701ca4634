/**
 * Headers of every answer, whatever its status. The documentation page has a policy of its own (openapi/pages.ts).
 * Strict-Transport-Security is not among them: TLS ends at the proxy, and it is the proxy that knows (docs/operations.md).
 * Cross-Origin-Resource-Policy is about pages that embed an answer without asking; those that CORS_ORIGINS names ask.
 */
export const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;
