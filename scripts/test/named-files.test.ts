import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (page: string): string => readFileSync(join(root, page), "utf8");

/** Paths of links, and of code such as `apps/api/src/serve.ts`. Patterns and generated folders are left out. */
function namedFiles(page: string): string[] {
  const links = [...read(page).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, path = ""]) => join(dirname(page), path));
  const paths = [...read(page).matchAll(/`((?:packages|apps|scripts|bench|robustness|mutation|deploy)\/[\w./-]+)`/g)];
  return [...links, ...paths.map(([, path = ""]) => path)].filter((path) => !/(?:^|\/)(?:dist|reports)\//.test(path));
}

describe.each(["README.md", "CONTRIBUTING.md", "docs/architecture.md"])("%s", (page) => {
  test("names files and folders that exist", () => {
    const named = namedFiles(page);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test("CONTRIBUTING names the symbols that hold the rules, each in the file that defines it", () => {
  const [, table = ""] = /## Where each rule is\n([^]*?)\n## /.exec(read("CONTRIBUTING.md")) ?? [];
  const named = [...table.matchAll(/\[([^\]]+)\]\(([^)]+\.ts)\)/g)];
  expect(named.length).toBeGreaterThan(60);
  const isDefined = (name: string, file: string): boolean =>
    new RegExp(String.raw`^export (?:async |abstract )*(?:function\*?|const|class) ${name}\b`, "m").test(read(file));
  expect(named.filter(([, name = "", file = ""]) => !isDefined(name, file)).map(([text]) => text)).toEqual([]);
});

test.each(["README.md", "CONTRIBUTING.md"])("%s says what each package and app is", (page) => {
  const folders = globSync("{packages,apps}/*/package.json", { cwd: root }).map(dirname);
  const isNamed = (folder: string) => folder === "packages/testkit" || read(page).includes(`\n| \`${folder}\``);
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});
