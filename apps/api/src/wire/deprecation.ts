import { prefersHtml } from "./accepted.js";
import type { Exchange } from "./exchange.js";
import { rootOf } from "./page-frame.js";
import type { FlatHeaders } from "./response-headers.js";

// Paths of 0.1 without a version. They respond like those at /api/v2 until 0.2.0.

const UNVERSIONED = /^\/(?:listings|gpus|history|sources)(?:\/|$)/;

/** When /api/v2 replaced them: a structured date (RFC 9745, 2.1). */
const SINCE = `@${Date.UTC(2026, 10, 26) / 1000}`;

const NONE: FlatHeaders = [];

/** Names of parameters there, and their names in /api/v2. */
export const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ["disk_gb", "disk"],
  ["stock", "availability"],
]);

/** Whether a route, such as `/listings/:id`, has a successor at /api/v2. */
export function isDeprecated(route: string | undefined): boolean {
  return route !== undefined && UNVERSIONED.test(route);
}

/** Whether browsers get a page at a route: that of a GPU, or of all. */
export function isGpuPage(route: string | undefined): boolean {
  return route === "/gpus" || route === "/gpus/:slug";
}

/**
 * Headers that name the successor of a deprecated path; none for other paths, and for pages of GPUs, which stay. The
 * link is relative, so that a proxy can serve the service under a path prefix.
 */
export function deprecationHeaders({ route, path, request: { headers } }: Exchange): FlatHeaders {
  if (!isDeprecated(route) || (isGpuPage(route) && prefersHtml(headers.accept))) {
    return NONE;
  }
  const target = path.slice(1).replaceAll(/[^\w/.~%:@!$&'()*+,;=-]/g, (character) => encodeURIComponent(character));
  return ["Deprecation", SINCE, "Link", `<${rootOf(path)}api/v2/${target}>; rel="successor-version"`];
}
