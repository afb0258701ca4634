import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { NoCatalogError, type Catalog } from "../catalog/catalog.js";
import { addVary, EncodedBody, redirect, sendContent, TaggedBody } from "../http/content.js";
import type { QueryParameters } from "../http/query-parameters.js";
import { UNITS } from "../http/work-units.js";
import type { ListingViewCache } from "../listings/listing-view-cache.js";
import { prefersHtml } from "../wire/accepted.js";
import { firstRows } from "./first-rows.js";
import { listWebFiles, readTemplate } from "./web-files.js";

// The root: the page for browsers, an index of the API for programs. And the files that the page loads.

/** Where the template has the rows. */
const PLACE_OF_ROWS = "<!--first-rows-->";

/** Seconds for which files are cached whose names change with their content: a year. */
const IMMUTABLE_SECONDS = 31_536_000;

const HTML = "text/html; charset=utf-8";

/** Only files of the service, and no text that becomes code. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** What the page shows. */
export interface WebOptions {
  catalog: Catalog;
  views: ListingViewCache;
  /** Whether the catalog requires a key: then the HTML has no rows. */
  isKeyRequired: boolean;
  /** Takes units of work from the caller of a request. @throws ApiError rate_limited. */
  admit: (request: FastifyRequest, units: number) => void;
  /** The folder with the built files. */
  folder?: URL;
}

/** Serves `/` and the files of the page. Without a page, browsers are redirected to the documentation. */
export function serveWeb(server: FastifyInstance, version: string, options: WebOptions | undefined): void {
  const template = options && readTemplate(options.folder);
  const index = new TaggedBody(Buffer.from(`${JSON.stringify(indexOf(version), null, 2)}\n`));
  server.get("/", async (request: FastifyRequest, reply: FastifyReply) => {
    addVary(reply, "Accept");
    if (!prefersHtml(request.headers.accept)) {
      return sendContent(reply, index);
    }
    if (options === undefined || template === undefined) {
      return redirect(reply, "./docs");
    }
    // A function, because a replacement text has special characters
    const rows = options.isKeyRequired ? "" : await rowsOf(request, options);
    const body = Buffer.from(template.replace(PLACE_OF_ROWS, () => rows));
    return sendContent(reply, new EncodedBody(body, HTML), { policy: PAGE_POLICY });
  });
  for (const [path, file] of template === undefined ? [] : listWebFiles(options?.folder)) {
    server.get(path, (_request, reply) =>
      sendContent(reply, file, { maxAgeSeconds: IMMUTABLE_SECONDS, isImmutable: true }),
    );
  }
}

/** Without a catalog, there are no rows. */
async function rowsOf(request: FastifyRequest, { catalog, views, admit }: WebOptions): Promise<string> {
  try {
    // The adapter parses queries
    const { text } = request.query as QueryParameters;
    const view = views.get();
    return await firstRows(view, text, catalog.nowMs, (query) =>
      admit(request, UNITS.listingPage(query, view.catalog.index.size)),
    );
  } catch (error) {
    if (error instanceof NoCatalogError) {
      return "";
    }
    throw error;
  }
}

/** Response at the root for programs. */
function indexOf(version: string) {
  return {
    name: "gpu-offers",
    version,
    links: {
      listings: "/api/v2/listings",
      gpus: "/api/v2/gpus",
      sources: "/api/v2/sources",
      offers: "/api/v1/offers",
      providers: "/api/v1/providers",
      account: "/api/v1/account",
      balance: "/api/v1/account/balance",
      openapi: "/openapi.json",
      docs: "/docs",
      liveness: "/health/live",
      readiness: "/health/ready",
    },
  };
}
