// Finds the imports of this repository that break the rules of walls.mjs.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob, relative } from "node:path";

// Of texts in backticks only calls count: a comment may say "from `name`".
const IMPORT =
  /\b(?:from|import|require)\s*\(?\s*(["'])(\.{1,2}\/[^"']*|(?:node:|@?[a-z])[\w@./-]*)\1|\b(?:import|require)\s*\(\s*`(\.{1,2}\/[^`]*|(?:node:|@?[a-z])[\w@./-]*)`/g;

/** Specifiers of the modules that a file imports, types included. */
function importsOf(file) {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, , quoted, template]) => quoted ?? template);
}

const isTest = (file) => /(?:^|\/)test\/|\.(?:test|fixture)\.tsx?$/.test(file);

/** The part of a package that a file of its src belongs to: its folder, or its name without the ending. */
const partOf = (path) => path.split("/")[0].replace(/\.[^.]+$/, "");

/** The source file that a relative specifier names; undefined for others, such as a JSON file. */
function resolveFile(file, specifier) {
  const path = join(dirname(file), specifier);
  return [path, path.replace(/\.js$/, ".ts"), path.replace(/\.jsx?$/, ".tsx")].find(
    (candidate) => /\.tsx?$/.test(candidate) && existsSync(candidate),
  );
}

const listOf = (names) => (names.length === 0 ? "nothing" : names.join(", "));

/**
 * A sentence for each forbidden import, and for each pair of packages that differs between walls and manifests.
 */
export function findBrokenWalls(walls) {
  return globSync("{packages,apps}/*/package.json")
    .concat(globSync("{bench,robustness}/package.json"))
    .map((manifest) => dirname(manifest))
    .sort()
    .flatMap((folder) => findProblems(folder, walls[folder]));
}

function findProblems(folder, wall) {
  const files = globSync(`${folder}/{src,test}/**/*.{ts,tsx}`).sort();
  const escapes = files.flatMap((file) => findEscapes(folder, file).concat(findComputed(file)));
  if (wall === undefined) {
    // Private packages for tests and measurements may import what they need.
    const isForTests = folder === "packages/testkit" || !folder.includes("/");
    return isForTests ? escapes : escapes.concat(`${folder} has no row in scripts/walls.mjs.`);
  }
  const sources = files.filter((file) => !isTest(relative(folder, file)));
  return escapes.concat(
    findManifestProblems(folder, wall),
    findFolderProblems(folder, wall, sources),
    sources.flatMap((file) => findForbidden(folder, wall, file)),
  );
}

/** Relative imports of files outside the package. */
function findEscapes(folder, file) {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .filter((specifier) => relative(folder, join(dirname(file), specifier)).startsWith(".."))
    .filter((specifier) => /\.[jt]sx?$/.test(specifier))
    .map((specifier) => `${file} imports ${specifier}: another package is imported by its name.`);
}

/** Imports of a name that is only known at run time. */
function findComputed(file) {
  const texts = readFileSync(file, "utf8").match(/\b(?:import|require)\s*\(\s*`[^`]*\$\{[^`]*`/g) ?? [];
  return texts.map((text) => `${file} has ${text}): write the name of the module out.`);
}

function findForbidden(folder, wall, file) {
  const { ours, node, only = {}, folders = {} } = wall;
  const others = wall.others ?? declaredIn(folder, wall).filter((name) => !isOurs(name));
  const path = relative(`${folder}/src`, file);
  const part = partOf(path);
  return importsOf(file).flatMap((specifier) => {
    const reject = (rule) => [`${file} imports ${specifier}: ${rule}.`];
    if (/\.fixture(?:\.[jt]sx?)?$/.test(specifier)) {
      return reject("fixtures are for tests");
    }
    if (specifier.startsWith(".")) {
      const target = resolveFile(file, specifier);
      // A row is about the folder if a file has the same name.
      const isOfRow = path.includes("/") || !existsSync(`${folder}/src/${part}`);
      const allowed = isOfRow ? folders[part] : undefined;
      if (target === undefined || allowed === undefined) {
        return [];
      }
      const imported = relative(`${folder}/src`, target);
      const isAllowed =
        partOf(imported) === part ||
        allowed.includes(partOf(imported)) ||
        (allowed.includes(".") && !imported.includes("/"));
      return isAllowed ? [] : reject(`${folder}/src/${part} may import ${listOf(allowed)}`);
    }
    if (specifier.startsWith("node:")) {
      const isAllowed = node === undefined || node.includes(specifier.slice("node:".length));
      return isAllowed ? [] : reject(`${folder} may import ${listOf(node)} of Node`);
    }
    // `@scope/name/file` is a file of `@scope/name`.
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    const [key, allowed, whose] = isOurs(name)
      ? [name.slice("@gpu-offers/".length), ours, "our packages"]
      : [name, others, "other people's packages"];
    if (!allowed.includes(key)) {
      return reject(`${folder} may import ${listOf(allowed)} of ${whose}`);
    }
    const limited = only[name];
    const names = [part, path.replace(/\.[jt]sx?$/, "")];
    return limited === undefined || limited.some((pattern) => names.some((each) => matchesGlob(each, pattern)))
      ? []
      : reject(`in ${folder}, ${name} is for ${listOf(limited)} alone`);
  });
}

const isOurs = (name) => name.startsWith("@gpu-offers/");

/** The packages that a manifest declares for its sources. */
function declaredIn(folder, { isBundled = false }) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return Object.keys({ ...dependencies, ...(isBundled ? devDependencies : {}) });
}

/** The manifest declares exactly our packages that the walls allow, so that the picture is true. */
function findManifestProblems(folder, wall) {
  const { forTests = [] } = wall;
  const declared = declaredIn(folder, wall)
    .filter(isOurs)
    .map((name) => name.slice("@gpu-offers/".length))
    .filter((name) => !forTests.includes(name));
  return declared.toSorted().join() === wall.ours.toSorted().join()
    ? []
    : [
        `${folder}/package.json depends on ${listOf(declared)} of our packages; scripts/walls.mjs allows ${listOf(wall.ours)}.`,
      ];
}

/** Every folder has a row, and each row allows only what stands above it. */
function findFolderProblems(folder, { folders = {} }, sources) {
  const present = new Set(
    sources
      .map((file) => relative(`${folder}/src`, file))
      .filter((path) => path.includes("/"))
      .map(partOf),
  );
  const missing = [...present].filter((name) => !Object.hasOwn(folders, name));
  const rows = Object.keys(folders);
  const upward = Object.entries(folders).flatMap(([name, allowed]) =>
    allowed
      .filter((needed) => rows.indexOf(needed) > rows.indexOf(name))
      .map((needed) => `scripts/walls.mjs: ${folder}/src/${name} may import ${needed}, which stands below it.`),
  );
  return missing.map((name) => `${folder}/src/${name} has no row in scripts/walls.mjs.`).concat(upward);
}
