import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { EncodedContent, redirect, sendContent } from "../http/content.js";
import { rejectParameters } from "../http/parameters.pipe.js";
import { PACKAGE_FOLDER } from "../package-folder.js";
import type { ClientAddress } from "../wire/client-address.js";
import { PLAIN_POLICY } from "../wire/error-page.js";
import { framePage } from "../wire/page-frame.js";

// The documentation site: the OpenAPI document, Swagger's viewer on it, and the guides and error pages that
// pages/build-pages.mjs renders from docs/. Files are loaded on first request.

/** Seconds for which files that a new version may change are cached without revalidation. */
const FILE_LIFETIME_SECONDS = 3_600;

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";

/** Where the build leaves the rendered pages and the files of the viewer. */
const RENDERED = new URL("dist/pages/", PACKAGE_FOLDER);

/** Files of the viewer, with their media types; build-pages.mjs copies them from swagger-ui-dist. */
const VIEWER_FILES = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
} as const;

/** Swagger UI uses inline styles and data: images; everything else is same-origin. */
const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const VIEWER_PAGE = framePage({
  title: "gpu-offers API",
  root: "./",
  current: "api",
  head: '<link rel="stylesheet" href="./docs/swagger-ui.css" />',
  class: "viewer",
  body: `    <div id="viewer"></div>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/start.js"></script>`,
});

/** A served page: how it is produced, and its content security policy. */
interface Page {
  type: string;
  makeBody: () => Buffer;
  policy?: string;
  maxAgeSeconds?: number;
  /** Whether its examples name the service, as {@link EXAMPLE_ORIGIN}. */
  hasExamples?: boolean;
}

/** The service in the examples of the guides. Readers see the address at which they read them. */
const EXAMPLE_ORIGIN = "http://127.0.0.1:3000";

/** Hosts that need no escaping in HTML; with others, the examples stay as they are. */
const PLAIN_HOST = /^(?:[a-z\d.-]+|\[[a-f\d:]+\])(?::\d{1,5})?$/i;

/** Maximum number of addresses for which a page is kept: callers choose the Host header. */
const MAX_ORIGINS = 8;

/** A page with the address of the service in its examples. @param origin where the reader found it, if known. */
function contentAt({ makeBody, type, hasExamples }: Page, origin: string | undefined): EncodedContent {
  const body = makeBody();
  return EncodedContent.of(
    hasExamples === true && origin !== undefined
      ? Buffer.from(body.toString().replaceAll(EXAMPLE_ORIGIN, origin))
      : body,
    type,
  );
}

/**
 * Serves the current document, returned by `makeDocument`, and the pages around it.
 * @param addresses determines the scheme that readers use.
 */
export function servePages(
  server: FastifyInstance,
  makeDocument: () => EncodedContent,
  addresses: ClientAddress,
): void {
  const originOf = ({ raw, headers: { host = "" } }: FastifyRequest): string | undefined =>
    PLAIN_HOST.test(host) ? `${addresses.schemeOf(raw)}://${host}` : undefined;
  for (const [path, page] of listPages()) {
    const files = new LRUCache<string, EncodedContent, string | undefined>({
      max: page.hasExamples === true ? MAX_ORIGINS : 1,
      memoMethod: (_key, _stale, { context }) => contentAt(page, context),
    });
    server.get(path, (request, reply) => {
      const origin = page.hasExamples === true ? originOf(request) : undefined;
      return sendContent(reply, files.memo(origin ?? "", { context: origin }), page);
    });
  }
  server.get("/openapi.json", (request, reply) => {
    rejectParameters(request);
    return sendContent(reply, makeDocument());
  });
  // The only paths with two spellings, because people type these, or get them by shortening the path of a page.
  for (const path of ["/docs/", "/docs/guides", "/docs/errors"]) {
    server.get(path, (_request, reply) => redirect(reply, "../docs"));
  }
  for (const path of ["/docs/guides/", "/docs/errors/"]) {
    server.get(path, (_request, reply) => redirect(reply, "../../docs"));
  }
}

function listPages(): Map<string, Page> {
  const pages = new Map<string, Page>([
    ["/docs", { type: HTML, policy: VIEWER_POLICY, makeBody: () => Buffer.from(VIEWER_PAGE) }],
    ["/docs/start.js", { type: SCRIPT, makeBody: () => readFileSync(new URL("start.js", RENDERED)) }],
    ["/docs/pages.css", { type: CSS, makeBody: () => readFileSync(new URL("pages.css", RENDERED)) }],
    ["/docs/icon.png", { type: "image/png", makeBody: () => readFileSync(new URL("icon.png", RENDERED)) }],
  ]);
  for (const [name, type] of Object.entries(VIEWER_FILES)) {
    const makeBody = (): Buffer => readFileSync(new URL(name, RENDERED));
    pages.set(`/docs/${name}`, { type, makeBody, maxAgeSeconds: FILE_LIFETIME_SECONDS });
  }
  for (const folder of ["guides", "errors"]) {
    const directory = new URL(`${folder}/`, RENDERED);
    for (const file of existsSync(directory) ? readdirSync(directory) : []) {
      const makeBody = (): Buffer => readFileSync(new URL(file, directory));
      pages.set(`/docs/${folder}/${file.replace(/\.html$/, "")}`, {
        type: HTML,
        policy: PLAIN_POLICY,
        hasExamples: true,
        makeBody,
      });
    }
  }
  return pages;
}
