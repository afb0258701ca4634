// Renders docs/guides/*.md and docs/errors/*.md to dist/pages, the static HTML that the service serves under /docs.
//   node pages/build-pages.mjs
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";

const DOCS = new URL("../../../docs/", import.meta.url);
const OUTPUT = new URL("../dist/pages/", import.meta.url);
const REPOSITORY_FILE = /^(?:\.\.\/)+(?:packages|apps|deploy|README)/;

/** Display names of code sample languages. */
const LANGUAGES = { sh: "curl", ts: "TypeScript", python: "Python", json: "JSON", http: "HTTP", text: "" };

/** Files of Swagger UI; src/openapi/viewer.ts has their media types. */
const VIEWER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "favicon-16x16.png"];

/** Guides in reading order. */
const GUIDES = ["authentication", "paging", "errors", "price", "gpus", "caching", "limits", "versions"];

function namesIn(folder) {
  return readdirSync(new URL(`${folder}/`, DOCS))
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -3))
    .sort();
}

function read(folder, name) {
  const text = readFileSync(new URL(`${folder}/${name}.md`, DOCS), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) {
    throw new Error(`docs/${folder}/${name}.md has no title.`);
  }
  return { folder, name, title: title.replaceAll("`", ""), text };
}

/** Links are relative, so that a proxy can serve the service under a path prefix. */
function html({ folder, name, title, text }, guides) {
  const links = guides.map((guide) =>
    link(`../guides/${guide.name}`, guide.title, guide.name === name && folder === "guides"),
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)} - gpu-offers</title>
    <link rel="stylesheet" href="../pages.css" />
    <link rel="icon" type="image/png" href="../favicon-32x32.png" sizes="32x32" />
  </head>
  <body>
    <header><nav aria-label="Documentation">
      <a class="home" href="../../">gpu-offers</a>
      <a href="../../">Offers</a>
      <a href="../../docs">API</a>
      ${links.join("\n      ")}
    </nav></header>
    <main>
${markdown.parse(text, { async: false })}    </main>
    <footer><a href="../../docs">API reference</a> <a href="../../openapi.json">OpenAPI document</a></footer>
  </body>
</html>
`;
}

function link(href, text, isCurrent) {
  return `<a href="${href}"${isCurrent ? ' aria-current="page"' : ""}>${escaped(text)}</a>`;
}

/** Converts links to Markdown files of the repository to links to their pages. */
function pageOf(href) {
  if (REPOSITORY_FILE.test(href)) {
    throw new Error(`${href} links into the repository, which isn't available to readers of a running service.`);
  }
  return href.replace(/^(?!https?:)([^#]*)\.md(#.*)?$/, "$1$2");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function slug(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .trim()
    .replaceAll(" ", "-");
}

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escaped(pageOf(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text, lang = "text" }) {
      const language = LANGUAGES[lang];
      if (language === undefined) {
        throw new Error(`Code samples in ${lang} have no display name.`);
      }
      const caption = language === "" ? "" : `<figcaption>${language}</figcaption>`;
      return `<figure>${caption}<pre tabindex="0"><code>${escaped(text)}\n</code></pre></figure>\n`;
    },
    table(token) {
      // On a phone, a wide table scrolls by itself.
      const row = (cells, tag) =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
      const body = token.rows.map((cells) => row(cells, "td")).join("\n");
      return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

rmSync(OUTPUT, { recursive: true, force: true });
mkdirSync(new URL("guides/", OUTPUT), { recursive: true });
mkdirSync(new URL("errors/", OUTPUT), { recursive: true });
copyFileSync(new URL("pages.css", import.meta.url), new URL("pages.css", OUTPUT));
const { resolve } = createRequire(import.meta.url);
for (const name of VIEWER_FILES) {
  copyFileSync(resolve(`swagger-ui-dist/${name}`), new URL(name, OUTPUT));
}

const guides = GUIDES.map((name) => read("guides", name));
const errors = namesIn("errors").map((name) => read("errors", name));
const unlisted = namesIn("guides").filter((name) => !GUIDES.includes(name));
if (unlisted.length > 0) {
  throw new Error(`docs/guides has pages that ${fileURLToPath(import.meta.url)} doesn't list: ${unlisted.join(", ")}`);
}
for (const page of [...guides, ...errors]) {
  writeFileSync(new URL(`${page.folder}/${page.name}.html`, OUTPUT), html(page, guides));
}
