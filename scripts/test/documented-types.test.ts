import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LISTING_PARAMETER_NAMES } from "../../packages/domain/src/index.ts";
import { LISTING_PARAMETER_DOCS } from "../../packages/domain/src/query.ts";
import { API, SymbolFlags, type Checker, type Symbol, type Type } from "typescript/unstable/sync";
import { afterAll, beforeAll, expect, test } from "vitest";

// Editors show the comments of types. The built declarations are what users get, so those are read.

const root = fileURLToPath(new URL("../..", import.meta.url));
const ENTRIES = [
  "packages/domain/dist/index.d.ts",
  "packages/domain/dist/gpus.d.ts",
  "packages/domain/dist/history.d.ts",
  "packages/domain/dist/launching.d.ts",
  "packages/domain/dist/paging.d.ts",
  "packages/client/dist/index.d.ts",
  "packages/sources/dist/index.d.ts",
  "packages/sources/dist/kit.d.ts",
  "packages/agent/dist/index.d.ts",
];

let api: API;
beforeAll(() => {
  api = new API({ cwd: root });
});
afterAll(() => {
  api.close();
});

/** The fields of all exported types of a package, and of the package's types that they refer to: path to comment. */
class Fields {
  readonly comments = new Map<string, string>();
  readonly #visited = new Set<number>();

  constructor(
    private readonly checker: Checker,
    private readonly folder: string,
  ) {}

  visit(type: Type | undefined, path: string): void {
    if (type === undefined || this.#visited.has(type.id)) {
      return;
    }
    this.#visited.add(type.id);
    if (type.isUnionType() || type.isIntersectionType()) {
      for (const part of type.getTypes() ?? []) {
        this.visit(part, path);
      }
    }
    if (!type.isObjectType()) {
      return;
    }
    if (type.isTypeReference()) {
      for (const argument of this.checker.getTypeArguments(type)) {
        this.visit(argument, path);
      }
    }
    for (const field of this.checker.getPropertiesOfType(type)) {
      this.#visitField(field, `${path}.${field.name}`);
    }
  }

  #visitField(field: Symbol, path: string): void {
    const [declaration] = field.declarations;
    // Keys of a record are values, which its type explains. Types of libraries are theirs.
    const isOurs = declaration !== undefined && declaration.path.toLowerCase().startsWith(this.folder.toLowerCase());
    if (field.name.includes("#") || !isOurs) {
      return;
    }
    const type = this.checker.getTypeOfSymbol(field);
    // The only value of a field, such as `kind: "offer"`, is explained by the type that has it.
    if (type?.isLiteralType() !== true) {
      this.comments.set(
        `${declaration.path}:${declaration.index}`,
        `${path}: ${this.checker.getDocumentationCommentOfSymbol(field)}`,
      );
    }
    this.visit(type, path);
  }
}

/** The exported symbols of a built entry, and the checker that knows them. */
function readEntry(entry: string): { checker: Checker; symbols: Symbol[]; folder: string } {
  const file = `${root}${entry}`;
  expect(existsSync(file), `${entry} is missing; build it first: npx -y pnpm@12 build`).toBe(true);
  const project = api.updateSnapshot({ openFiles: [file] }).getDefaultProjectForFile(file);
  const source = project?.program.getSourceFile(file);
  const exported = source && project?.checker.getSymbolAtLocation(source);
  if (project === undefined || exported === undefined) {
    throw new Error(`TypeScript cannot read ${entry}.`);
  }
  const { checker } = project;
  const symbols = checker
    .getExportsOfModule(exported)
    .map((symbol) => (symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
  return { checker, symbols: [...symbols], folder: file.slice(0, file.lastIndexOf("/") + 1) };
}

test.each(ENTRIES)("every field of the types of %s has a comment", (entry) => {
  const { checker, symbols, folder } = readEntry(entry);
  const fields = new Fields(checker, folder);
  for (const symbol of symbols) {
    if (symbol.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias | SymbolFlags.Class)) {
      fields.visit(checker.getDeclaredTypeOfSymbol(symbol), symbol.name);
    }
  }
  expect(fields.comments.size).toBeGreaterThan(5);
  const without = [...fields.comments.values()].filter((comment) => comment.endsWith(": "));
  expect(without).toEqual([]);
});

test("editors show what each parameter of a written query means, in the domain and the client", () => {
  for (const entry of ["packages/domain/dist/index.d.ts", "packages/client/dist/index.d.ts"]) {
    const { checker, symbols } = readEntry(entry);
    const query = symbols.find(({ name }) => name === "ListingsQuery" || name === "WrittenQuery");
    const type = query && checker.getDeclaredTypeOfSymbol(query);
    const shown = (type === undefined ? [] : checker.getPropertiesOfType(type)).map(
      (field) => [field.name, checker.getDocumentationCommentOfSymbol(field)] as const,
    );
    const meant = LISTING_PARAMETER_NAMES.map((name) => [name, LISTING_PARAMETER_DOCS[name].description] as const);
    expect([entry, shown]).toEqual([entry, meant]);
  }
});

test("the written types of the domain are those that its schemas infer", () => {
  const names = globSync(`${root}packages/domain/src/**/*-schema.ts`).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^export type (\w+) = z\.output</gm)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(30);
  const entries = ["index", "gpus", "history", "query"].map((entry) => ({
    entry,
    text: readFileSync(`${root}packages/domain/src/${entry}.ts`, "utf8"),
  }));
  const sames = names.map((name) => {
    const entry = entries.find(({ text }) => new RegExp(`\\b${name}\\b`).test(text))?.entry ?? "index";
    return `export const ${name}: Same<import("${root}packages/domain/dist/${entry}.js").${name}, import("${root}packages/domain/src/${entry}.js").${name}> = true;`;
  });
  const code = `type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;\n${sames.join("\n")}`;
  const folder = mkdtempSync(join(tmpdir(), "gpu-offers-types-"));
  try {
    const file = join(folder, "same.mts");
    writeFileSync(file, code);
    const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
    const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--skipLibCheck"];
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, "--types", "", file], { encoding: "utf8" });
    expect(stdout).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
