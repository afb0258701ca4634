// Draws the picture in docs/architecture.md from the code: a box per package, with its folders, and an arrow per
// dependency that a manifest declares.
//
//     node scripts/draw-architecture.mjs            writes it into docs/architecture.md
//     node scripts/draw-architecture.mjs --check    exits with 1 if the picture there is out of date
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const PAGE = "docs/architecture.md";
const START = "<!-- picture: node scripts/draw-architecture.mjs -->";
const END = "<!-- end of picture -->";

const folders = (path) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const parts = ["packages", "apps"].flatMap((parent) =>
  folders(parent).map((name) => {
    const path = `${parent}/${name}`;
    const manifest = JSON.parse(readFileSync(`${path}/package.json`, "utf8"));
    return {
      id: name,
      path,
      name: manifest.name,
      isPublic: name !== "testkit",
      inner: folders(`${path}/src`),
      needs: Object.keys({ ...manifest.dependencies, ...(parent === "apps" ? manifest.devDependencies : {}) }),
    };
  }),
);

const shown = parts.filter(({ isPublic }) => isPublic);
const boxes = shown.map(({ id, path, inner }) => {
  const lines = inner.length === 0 ? "" : `<br/><small>${inner.join(" · ")}</small>`;
  return `  ${id}["<b>${path}</b>${lines}"]`;
});
const arrows = shown.flatMap(({ id, needs }) =>
  shown.filter(({ name }) => needs.includes(name)).map((needed) => `  ${id} --> ${needed.id}`),
);
const picture = ["```mermaid", "flowchart TD", ...boxes, ...arrows, "```"].join("\n");

const page = readFileSync(PAGE, "utf8");
const [before, rest] = page.split(START);
const after = rest?.split(END)[1];
if (after === undefined) {
  throw new Error(`${PAGE} needs the lines ${START} and ${END}.`);
}
const drawn = `${before}${START}\n\n${picture}\n\n${END}${after}`;
if (!process.argv.includes("--check")) {
  writeFileSync(PAGE, drawn);
} else if (drawn !== page) {
  console.error(`The picture in ${PAGE} is out of date: run node scripts/draw-architecture.mjs`);
  process.exitCode = 1;
}
