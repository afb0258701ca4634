// Compiles facts/*.csv into TypeScript modules (*.facts.ts), which aren't committed. It runs whenever packages are installed,
// and before builds, checks and tests, and writes only what changed. tables.mjs lists the files and modules.
//
//     node scripts/facts/compile.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readFacts } from "./read.mjs";
import { modules, tables } from "./tables.mjs";

const REPOSITORY = new URL("../../", import.meta.url);

/** Writes the modules that changed. @throws Error that names file and line of each invalid row. */
export function compileFacts() {
  const { facts, problems } = readFacts(tables);
  if (problems.length > 0) {
    throw new Error(problems.join("\n"));
  }
  for (const [file, constants] of Object.entries(modules)) {
    const files = new Set(Object.values(constants).flatMap(({ from }) => from.map((name) => `facts/${name}.csv`)));
    const lines = [
      `// Compiled from ${[...files].join(", ")} by scripts/facts/compile.mjs.`,
      ...Object.entries(constants).flatMap(([name, { from, type, about, valueOf }]) => {
        const value = valueOf(...from.map((table) => facts[table]));
        const typeText = typeof type === "function" ? type(value) : type;
        return ["", `/** ${about} */`, `export const ${name}: ${typeText} = ${codeOf(value, "\n")};`];
      }),
      "",
    ];
    write(new URL(file, REPOSITORY), lines.join("\n"));
  }
}

/** Another process may compile at the same time, so a file is replaced at once. */
function write(url, text) {
  const path = fileURLToPath(url);
  if (existsSync(path) && readFileSync(path, "utf8") === text) {
    return;
  }
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** A value as TypeScript. `separator` stands between the items of the outermost list or map. */
function codeOf(value, separator = " ") {
  if (value instanceof Map) {
    return `new Map([${separator}${[...value].map((entry) => `${codeOf(entry)},`).join(separator)}${separator}])`;
  }
  if (Array.isArray(value)) {
    while (value.length > 0 && value.at(-1) === undefined) {
      value.pop();
    }
    return `[${separator}${value.map((item) => `${codeOf(item)},`).join(separator)}${separator}]`;
  }
  if (value instanceof RegExp || value === undefined) {
    return String(value);
  }
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${separator}${entries.map(([name, item]) => `${JSON.stringify(name)}: ${codeOf(item)},`).join(separator)}${separator}}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    compileFacts();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
