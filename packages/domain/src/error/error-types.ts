// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** One problem of a request. */
export interface ErrorDetail {
  /** Part of the request: query, path or header. */
  in: string;
  /** Name of the parameter. */
  name: string;
  /** What is invalid, and what would be valid. */
  reason: string;
}

/** What is invalid, and what to do. */
export interface ErrorBody {
  /** Stable, machine-readable code. */
  code: string;
  /** Human-readable sentence. */
  message: string;
  /** All problems of the request, if known. */
  details?: ErrorDetail[] | undefined;
  /** Request id, also in the X-Request-Id header and the service's log. */
  requestId: string;
  /** Path of this error's documentation on the same service. */
  docUrl?: string | undefined;
}
