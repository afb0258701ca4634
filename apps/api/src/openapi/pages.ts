import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { prepareCached, TaggedBody } from "../http/caching.js";
import { VIEWER_FILES, VIEWER_PAGE, VIEWER_POLICY, VIEWER_START } from "./viewer.js";
import { PACKAGE_FOLDER } from "../package-folder.js";
import { JSON_TYPE } from "../wire/response-headers.js";

// The documentation site: the OpenAPI document, Swagger's viewer on it, and the guides and error pages that
// pages/build-pages.mjs renders from docs/. Files are loaded on first request.

/** Seconds for which files that a new version may change are cached without revalidation. */
const FILE_LIFETIME_SECONDS = 3_600;

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";

/** Where the build leaves the rendered pages and the files of the viewer. */
const RENDERED = new URL("dist/pages/", PACKAGE_FOLDER);

/** Guides and error pages load their style sheet and icon only, without scripts. */
const PLAIN_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A served page: how it is produced, and its content security policy. */
interface Page {
  type: string;
  makeBody: () => Buffer;
  policy?: string;
  maxAgeSeconds?: number;
}

/** Serves the current document, returned by `makeDocument`, and the pages around it. */
export function servePages(server: FastifyInstance, makeDocument: () => Buffer, version: string): void {
  const send = (request: FastifyRequest, reply: FastifyReply, page: Page, file: TaggedBody): void => {
    const { type, policy, maxAgeSeconds = 0 } = page;
    const body = prepareCached(request, reply, file, { maxAgeSeconds, isPrivate: false, type });
    if (policy !== undefined && body !== undefined) {
      reply.header("Content-Security-Policy", policy);
    }
    void reply.send(body);
  };
  for (const [path, page] of listPages()) {
    let file: TaggedBody | undefined;
    server.get(path, (request, reply) => send(request, reply, page, (file ??= new TaggedBody(page.makeBody()))));
  }
  server.get("/openapi.json", (request, reply) => {
    const page: Page = { type: JSON_TYPE, makeBody: makeDocument };
    send(request, reply, page, new TaggedBody(page.makeBody()));
  });
  const index = new TaggedBody(Buffer.from(`${JSON.stringify(indexOf(version), null, 2)}\n`));
  server.get("/", (request, reply) => {
    // Others may be set already.
    reply.header("Vary", [reply.getHeader("Vary"), "Accept"].filter((name) => name !== undefined).join(", "));
    if (request.headers.accept?.includes("text/html") === true) {
      redirect(reply, "./docs");
    } else {
      send(request, reply, { type: JSON_TYPE, makeBody: () => index.body }, index);
    }
  });
  // The only paths with two spellings, because people type these, or get them by shortening the path of a page.
  for (const path of ["/docs/", "/docs/guides", "/docs/errors"]) {
    server.get(path, (_request, reply) => redirect(reply, "../docs"));
  }
  for (const path of ["/docs/guides/", "/docs/errors/"]) {
    server.get(path, (_request, reply) => redirect(reply, "../../docs"));
  }
}

/** Links are relative, so that a proxy can serve the service under a path prefix. */
function redirect(reply: FastifyReply, location: string): void {
  void reply.code(302).headers({ Location: location, "Cache-Control": "no-cache" }).send();
}

/** Response at the root for programs. */
function indexOf(version: string) {
  return {
    name: "gpu-offers",
    version,
    links: {
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

function listPages(): Map<string, Page> {
  const pages = new Map<string, Page>([
    ["/docs", { type: HTML, policy: VIEWER_POLICY, makeBody: () => Buffer.from(VIEWER_PAGE) }],
    ["/docs/start.js", { type: SCRIPT, makeBody: () => Buffer.from(VIEWER_START) }],
    ["/docs/pages.css", { type: CSS, makeBody: () => readFileSync(new URL("pages.css", RENDERED)) }],
  ]);
  for (const [name, type] of Object.entries(VIEWER_FILES)) {
    const makeBody = (): Buffer => readFileSync(new URL(name, RENDERED));
    pages.set(`/docs/${name}`, { type, makeBody, maxAgeSeconds: FILE_LIFETIME_SECONDS });
  }
  for (const folder of ["guides", "errors"]) {
    const directory = new URL(`${folder}/`, RENDERED);
    for (const file of existsSync(directory) ? readdirSync(directory) : []) {
      const makeBody = (): Buffer => readFileSync(new URL(file, directory));
      pages.set(`/docs/${folder}/${file.replace(/\.html$/, "")}`, { type: HTML, policy: PLAIN_POLICY, makeBody });
    }
  }
  return pages;
}
