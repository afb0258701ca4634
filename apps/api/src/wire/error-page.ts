import { errorHeaders, type ApiError } from "./api-error.js";
import { escapeHtml, framePage, rootOf } from "./page-frame.js";
import { prefersHtml } from "./accepted.js";

// Errors as pages, for people who open a path in a browser. Programs get JSON, and so does everyone below /api.

/** Pages without scripts load their style sheet and icon only. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The body of an error response and its headers, besides those of every response. */
export function errorResponse(
  error: ApiError,
  requestId: string,
  { url, accept }: { url: string; accept: string | undefined },
): { body: string; headers: Record<string, string> } {
  if (url.startsWith("/api/") || !prefersHtml(accept)) {
    const body = JSON.stringify(error.toBody(requestId));
    return { body, headers: errorHeaders(error, body) };
  }
  const body = errorPage(error, requestId, rootOf(url));
  const page = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": PLAIN_POLICY };
  return { body, headers: { ...errorHeaders(error, body), ...page } };
}

function errorPage(error: ApiError, requestId: string, root: string): string {
  const { code, message } = error.toBody(requestId);
  const title = error.status === 404 ? "Not found" : `Error ${error.status}`;
  return framePage({
    title: `${title} - gpu-offers`,
    root,
    guides: "none",
    body: `    <main>
      <h1>${title}</h1>
      <p>${escapeHtml(message)}</p>
      <p><a href="${root}docs/errors/${code}">What ${code} means</a></p>
      <p>Request id: <code>${requestId}</code></p>
    </main>`,
  });
}
