// Renders docs/guides/*.md and docs/errors/*.md to dist/pages, the static HTML that the service serves under /docs.
//   node pages/build-pages.mjs
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Marked } from "marked";
import { escapeHtml, framePage, GUIDES } from "../src/wire/page-frame.ts";

const DOCS = new URL("../../../docs/", import.meta.url);
const OUTPUT = new URL("../dist/pages/", import.meta.url);
const REPOSITORY_FILE = /^(?:\.\.\/)+(?:packages|apps|deploy|README)/;

const LANGUAGES = { sh: "curl", ts: "TypeScript", python: "Python", json: "JSON", http: "HTTP", text: "" };

/** Files of Swagger UI; src/openapi/pages.ts serves them. */
const VIEWER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js"];

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

function html({ folder, name, title, text }) {
  return framePage({
    title: `${title} - gpu-offers`,
    root: "../../",
    current: folder === "guides" ? name : undefined,
    body: `    <main>
${markdown.parse(text, { async: false })}    </main>
    <footer><a href="../../docs">API reference</a> <a href="../../openapi.json">OpenAPI document</a></footer>`,
  });
}

/** Converts links to Markdown files of the repository to links to their pages. */
function pageOf(href) {
  if (REPOSITORY_FILE.test(href)) {
    throw new Error(`${href} links into the repository, which isn't available to readers of a running service.`);
  }
  return href.replace(/^(?!https?:)([^#]*)\.md(#.*)?$/, "$1$2");
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
      return `<a href="${escapeHtml(pageOf(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text, lang = "text" }) {
      const language = LANGUAGES[lang];
      if (language === undefined) {
        throw new Error(`Code samples in ${lang} have no display name.`);
      }
      const caption = language === "" ? "" : `<figcaption>${language}</figcaption>`;
      return `<figure>${caption}<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></figure>\n`;
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
for (const name of ["pages.css", "start.js"]) {
  copyFileSync(new URL(name, import.meta.url), new URL(name, OUTPUT));
}
const { resolve } = createRequire(import.meta.url);
for (const name of VIEWER_FILES) {
  copyFileSync(resolve(`swagger-ui-dist/${name}`), new URL(name, OUTPUT));
}
copyFileSync(new URL("../../web/src/icon.png", import.meta.url), new URL("icon.png", OUTPUT));

const guides = namesIn("guides");
const listed = GUIDES.map(([name]) => name);
if (guides.join() !== listed.toSorted().join()) {
  throw new Error(`docs/guides has ${guides.join(", ")}, but GUIDES of page-frame.ts ${listed.join(", ")}.`);
}
const pages = [...guides.map((name) => read("guides", name)), ...namesIn("errors").map((name) => read("errors", name))];
for (const page of pages) {
  writeFileSync(new URL(`${page.folder}/${page.name}.html`, OUTPUT), html(page));
}
