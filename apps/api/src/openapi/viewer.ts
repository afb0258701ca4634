import { framePage } from "../wire/page-frame.js";

// Swagger UI, where every operation can be tried out.

/** Files of the viewer, with their media types; build-pages.mjs copies them from swagger-ui-dist. */
export const VIEWER_FILES = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
} as const;

/** Swagger UI uses inline styles and data: images; everything else is same-origin. */
export const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const VIEWER_PAGE = framePage({
  title: "gpu-offers API",
  root: "./",
  current: "api",
  head: '<link rel="stylesheet" href="./docs/swagger-ui.css" />',
  class: "viewer",
  body: `    <div id="viewer"></div>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/start.js"></script>`,
});
