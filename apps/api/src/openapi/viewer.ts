// Swagger UI, where every operation can be tried out.

/** Files of the viewer, with their media types; build-pages.mjs copies them from swagger-ui-dist. */
export const VIEWER_FILES = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
  "favicon-16x16.png": "image/png",
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

const GUIDES = [
  ["authentication", "Authentication"],
  ["paging", "Paging"],
  ["errors", "Errors"],
  ["price", "Price with a disk"],
  ["gpus", "GPUs: cost, worth, fit"],
  ["caching", "Caching"],
  ["limits", "Limits"],
  ["versions", "Versions"],
] as const;

// Links are relative, so that a proxy can serve the service under a path prefix.
export const VIEWER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>gpu-offers API</title>
    <link rel="stylesheet" href="./docs/swagger-ui.css" />
    <link rel="stylesheet" href="./docs/pages.css" />
    <link rel="icon" type="image/png" href="./docs/favicon-32x32.png" sizes="32x32" />
    <link rel="icon" type="image/png" href="./docs/favicon-16x16.png" sizes="16x16" />
  </head>
  <body class="viewer">
    <header><nav aria-label="Documentation">
      <a class="home" href="./">gpu-offers</a>
      <a href="./">Offers</a>
      <a href="./docs" aria-current="page">API</a>
      ${GUIDES.map(([name, title]) => `<a href="./docs/guides/${name}">${title}</a>`).join("\n      ")}
    </nav></header>
    <div id="viewer"></div>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/start.js"></script>
  </body>
</html>
`;

export const VIEWER_START = `const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();

// Swagger UI puts a link into each button that opens an operation, and has parts without a name or a landmark.
const plainPaths = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement("span", null, text) },
});
const describeParts = () => {
  const name = (selector, attributes) => {
    for (const element of document.querySelectorAll(selector)) {
      for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, value);
      }
    }
  };
  name(".information-container", { role: "region", "aria-label": "About" });
  name(".scheme-container", { role: "region", "aria-label": "Server and API key" });
  name("#servers", { "aria-label": "Server" });
  name(".opblock-tag, section.models > h4", { "aria-level": "2" });
};
SwaggerUIBundle({
  url: "./openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  plugins: [plainPaths],
  onComplete: describeParts,
});
`;
