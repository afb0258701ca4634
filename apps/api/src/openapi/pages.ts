import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendCached } from "../http/send-cached.js";

// The documentation pages: Swagger's viewer on our document. Its files are read when somebody first asks for one.

/** Path of the document. */
const DOCUMENT_PATH = "/openapi.json";

/** Path of the page; its files lie below. */
const PAGE_PATH = "/docs";

/** Seconds that the viewer's files may be held without asking again. */
const FILE_LIFETIME_SECONDS = 3_600;

const HTML = "text/html; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Files of the viewer, with their media types. */
const VIEWER_FILES = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": SCRIPT,
  "favicon-32x32.png": "image/png",
  "favicon-16x16.png": "image/png",
} as const;

/** The viewer draws with style attributes and images in its own style sheet; all else comes from here. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// Addresses are relative, so that a proxy may put the service under a path of its own.
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>gpu-offers API</title>
    <link rel="stylesheet" href="./docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="./docs/favicon-32x32.png" sizes="32x32" />
    <link rel="icon" type="image/png" href="./docs/favicon-16x16.png" sizes="16x16" />
  </head>
  <body>
    <div id="viewer"></div>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: "./openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
});
`;

/** Serves the document, made when somebody first asks for it, and the pages that show it. */
export function servePages(server: FastifyInstance, makeDocument: () => object): void {
  const serve = (path: string, type: string, maxAgeSeconds: number, makeBody: () => Buffer): void => {
    let file: { body: Buffer; etag: string } | undefined;
    server.get(path, (request: FastifyRequest, reply: FastifyReply) => {
      file ??= tagged(makeBody());
      const { body, etag } = file;
      if (type === HTML) {
        reply.header("Content-Security-Policy", PAGE_POLICY);
      }
      sendCached(request, reply, { etag, maxAgeSeconds, isPrivate: false, type }, () => body);
    });
  };
  serve(DOCUMENT_PATH, JSON_TYPE, 0, () => Buffer.from(JSON.stringify(makeDocument())));
  serve(PAGE_PATH, HTML, 0, () => Buffer.from(PAGE));
  serve(`${PAGE_PATH}/start.js`, SCRIPT, 0, () => Buffer.from(START));
  const { resolve } = createRequire(import.meta.url);
  for (const [name, type] of Object.entries(VIEWER_FILES)) {
    serve(`${PAGE_PATH}/${name}`, type, FILE_LIFETIME_SECONDS, () => readFileSync(resolve(`swagger-ui-dist/${name}`)));
  }
}

function tagged(body: Buffer): { body: Buffer; etag: string } {
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}
