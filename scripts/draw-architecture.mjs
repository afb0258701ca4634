// Draws the picture in docs/architecture.md from the code: a box per package, with its folders in the order of their
// imports, and an arrow per dependency that a manifest declares. Fails if folders import each other in a circle.
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

/** The folders that each folder imports, from the code in them. */
const importsOf = (source, inner) =>
  new Map(
    inner.map((folder) => {
      const files = readdirSync(`${source}/${folder}`, { recursive: true, encoding: "utf8" }).filter((file) =>
        /(?<!\.test|\.fixture)\.tsx?$/.test(file),
      );
      const text = files.map((file) => readFileSync(`${source}/${folder}/${file}`, "utf8")).join("\n");
      const imported = [...text.matchAll(/(?:from|import) ?\(?"(?:\.\.\/)+([^/"]+)\//g)].map(([, name]) => name);
      return [folder, new Set(imported.filter((name) => name !== folder && inner.includes(name)))];
    }),
  );

/** Folders in such an order that each imports only from those before it. */
const inOrder = (source, inner) => {
  const imports = importsOf(source, inner);
  const ordered = [];
  while (ordered.length < inner.length) {
    const next = inner.find(
      (name) => !ordered.includes(name) && [...imports.get(name)].every((needed) => ordered.includes(needed)),
    );
    if (next === undefined) {
      const rest = inner.filter((name) => !ordered.includes(name));
      throw new Error(`Folders of ${source} import each other in a circle, among ${rest.join(", ")}.`);
    }
    ordered.push(next);
  }
  return ordered;
};

const parts = ["packages", "apps"].flatMap((parent) =>
  folders(parent).map((name) => {
    const path = `${parent}/${name}`;
    const manifest = JSON.parse(readFileSync(`${path}/package.json`, "utf8"));
    return {
      id: name,
      path,
      name: manifest.name,
      isPublic: name !== "testkit",
      inner: inOrder(`${path}/src`, folders(`${path}/src`)),
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
