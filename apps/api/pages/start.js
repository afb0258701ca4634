// Starts Swagger UI on the page /docs.
const dark = matchMedia("(prefers-color-scheme: dark)");
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
