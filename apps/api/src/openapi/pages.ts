import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { EncodedContent, mediaTypeOf, redirect, sendContent, type Caching } from "../http/content.js";
import { rejectParameters } from "../http/parameters.pipe.js";
import { PACKAGE_FOLDER } from "../package-folder.js";
import type { ClientAddress } from "../wire/client-address.js";
import { PLAIN_POLICY } from "../wire/error-page.js";
import { framePage, rootOf } from "../wire/page-frame.js";

// The documentation site: the OpenAPI document, Swagger's viewer on it, and the guides and error pages that
// pages/build-pages.mjs renders from docs/. Files are loaded on first request.

/** Seconds for which files that a new version may change are cached without revalidation. */
const FILE_LIFETIME_SECONDS = 3_600;

/** Where the build leaves the rendered pages and the files of the viewer. */
const RENDERED = new URL("dist/pages/", PACKAGE_FOLDER);

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

interface Page extends Pick<Caching, "policy" | "maxAgeSeconds"> {
  type: string;
  makeBody: () => Buffer;
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

/** Serves the current document, and the pages around it. @param addresses determines the scheme that readers use. */
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
  for (const path of ["/docs/", "/docs/guides", "/docs/errors", "/docs/guides/", "/docs/errors/"]) {
    server.get(path, (_request, reply) => redirect(reply, `${rootOf(path)}docs`));
  }
}

function listPages(): [path: string, page: Page][] {
  const fileOf = (path: string, more: Partial<Page> = {}): [path: string, page: Page] => {
    const makeBody = (): Buffer => readFileSync(new URL(path, RENDERED));
    return [`/docs/${path.replace(/\.html$/, "")}`, { type: mediaTypeOf(path), makeBody, ...more }];
  };
  return [
    ["/docs", { type: mediaTypeOf("docs.html"), policy: VIEWER_POLICY, makeBody: () => Buffer.from(VIEWER_PAGE) }],
    ...["start.js", "pages.css", "icon.png"].map((name) => fileOf(name)),
    // The viewer, which build-pages.mjs copies from swagger-ui-dist.
    ...["swagger-ui.css", "swagger-ui-bundle.js"].map((name) => fileOf(name, { maxAgeSeconds: FILE_LIFETIME_SECONDS })),
    ...["guides/", "errors/"].flatMap((folder) => {
      const directory = new URL(folder, RENDERED);
      const names = existsSync(directory) ? readdirSync(directory) : [];
      return names.map((name) => fileOf(`${folder}${name}`, { policy: PLAIN_POLICY, hasExamples: true }));
    }),
  ];
}
