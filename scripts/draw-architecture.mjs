// Draws the picture in docs/architecture.md from the table in walls.mjs: a box per package, with its folders in the order
// of their imports, and an arrow per dependency that doesn't follow from others.
//
//     node scripts/draw-architecture.mjs            writes it into docs/architecture.md
//     node scripts/draw-architecture.mjs --check    names every forbidden import, and fails if there is one or the picture
//                                                   is out of date
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { findBrokenWalls } from "./imports.mjs";
import { walls } from "./walls.mjs";

const PAGE = "docs/architecture.md";
const START = "<!-- picture: node scripts/draw-architecture.mjs -->";
const END = "<!-- end of picture -->";

const oursOf = new Map(Object.entries(walls).map(([path, { ours }]) => [basename(path), ours]));

/** Whether a package needs another one by way of a third. */
const reaches = (name, target) => oursOf.get(name).some((needed) => needed === target || reaches(needed, target));

function draw() {
  const boxes = Object.entries(walls).map(([path, { folders = {} }]) => {
    const inner = Object.keys(folders).filter((name) =>
      statSync(`${path}/src/${name}`, { throwIfNoEntry: false })?.isDirectory(),
    );
    const lines = inner.length === 0 ? "" : `<br/><small>${inner.join(" · ")}</small>`;
    return `  ${basename(path)}["<b>${path}</b>${lines}"]`;
  });
  const arrows = [...oursOf].flatMap(([name, ours]) =>
    ours.filter((needed) => !ours.some((other) => reaches(other, needed))).map((needed) => `  ${name} --> ${needed}`),
  );
  return ["```mermaid", "flowchart TD", ...boxes, ...arrows, "```"].join("\n");
}

const page = readFileSync(PAGE, "utf8");
const [before, rest] = page.split(START);
const after = rest?.split(END)[1];
if (after === undefined) {
  throw new Error(`${PAGE} needs the lines ${START} and ${END}.`);
}
const drawn = `${before}${START}\n\n${draw()}\n\n${END}${after}`;
if (process.argv.includes("--check")) {
  const problems = findBrokenWalls(walls);
  if (drawn !== page) {
    problems.push(`The picture in ${PAGE} is out of date: run node scripts/draw-architecture.mjs`);
  }
  process.stderr.write(problems.map((problem) => `${problem}\n`).join(""));
  process.exitCode = problems.length === 0 ? 0 : 1;
} else {
  writeFileSync(PAGE, drawn);
}
