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
  name(".opblock-section-header h4, .responses-inner > div > h4", { "aria-level": "3" });
  name(".responses-inner h5", { "aria-level": "4" });
  name(".opblock-body pre", { tabindex: "0" });
  for (const field of document.querySelectorAll("tr[data-param-name] :is(input, select)")) {
    field.setAttribute("aria-label", field.closest("tr").dataset.paramName);
  }
};
// Operations have their parts once they are opened
new MutationObserver(describeParts).observe(document.getElementById("viewer"), { childList: true, subtree: true });
SwaggerUIBundle({
  url: "./openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  syntaxHighlight: { theme: "obsidian" },
  plugins: [plainPaths],
});
`;
