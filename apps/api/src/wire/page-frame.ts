// The frame of the documentation's pages and of errors. pages/build-pages.mjs imports this file as it is, so it has no
// imports of its own.

/** The guides in reading order: the name of the file in docs/guides, and a short title. */
export const GUIDES: readonly (readonly [name: string, title: string])[] = [
  ["authentication", "Authentication"],
  ["listings", "Offers and listings"],
  ["paging", "Paging"],
  ["errors", "Errors"],
  ["price", "Price with a disk"],
  ["gpus", "GPUs: cost, worth, fit"],
  ["caching", "Caching"],
  ["limits", "Limits"],
  ["versions", "Versions"],
];

interface FramedPage {
  title: string;
  /** The root as a relative link, so that a proxy can serve the service under a path prefix. */
  root: string;
  /** What the navigation links to besides the root and the API. */
  guides?: "all" | "none";
  /** What the page itself is in the navigation: a guide, or `api`. */
  current?: string;
  /** HTML before the style sheet. */
  head?: string;
  class?: string;
  /** HTML after the navigation. */
  body: string;
}

/** A whole page as HTML. */
export function framePage(page: FramedPage): string {
  const { title, root, guides = "all", current, head, body } = page;
  const link = (href: string, text: string, isCurrent: boolean): string =>
    `      <a href="${root}${href}"${isCurrent ? ' aria-current="page"' : ""}>${escapeHtml(text)}</a>\n`;
  const links = (guides === "all" ? GUIDES : []).map(([name, text]) =>
    link(`docs/guides/${name}`, text, name === current),
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${escapeHtml(title)}. gpu-offers finds the cheapest GPU to rent, across clouds." />
    <title>${escapeHtml(title)}</title>
${head === undefined ? "" : `    ${head}\n`}    <link rel="stylesheet" href="${root}docs/pages.css" />
    <link rel="icon" type="image/png" href="${root}docs/icon.png" />
  </head>
  <body${page.class === undefined ? "" : ` class="${page.class}"`}>
    <header><nav aria-label="${guides === "all" ? "Documentation" : "Pages"}">
      <a class="home" href="${root}">gpu-offers</a>
      <a href="${root}">Offers</a>
${link("docs", "API", current === "api")}${links.join("")}    </nav></header>
${body}
  </body>
</html>
`;
}

/** The root of the service from a URL or path, as a relative link, so that a proxy can serve it under a path prefix. */
export function rootOf(url: string): string {
  const [path = ""] = url.split("?");
  return "../".repeat(path.split("/").length - 2) || "./";
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML, also inside of an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}
