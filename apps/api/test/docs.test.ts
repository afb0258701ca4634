import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listSettings } from "../src/config.ts";

/** Cells of a document's table rows whose first cell is a name in backticks. */
function rowsOf(document: string): string[][] {
  const text = readFileSync(new URL(`../../../docs/${document}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => /^\| *`\w+` *\|/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const withoutTicks = (text = ""): string => text.replaceAll(/^`|`$/g, "");

test("docs/configuration.md lists exactly the settings, with their defaults and descriptions", () => {
  expect(
    rowsOf("configuration.md").map(([name, value, description]) => [
      withoutTicks(name),
      withoutTicks(value),
      description,
    ]),
  ).toEqual(listSettings().map((setting) => [setting.name, setting.default, setting.description]));
});

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** The fragment of a link to a heading, as repository hosts generate it from the heading. */
function anchorsOf(page: string): string[] {
  const headings = [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("no link between pages and to files is broken", () => {
  const pages = globSync(["*.md", "docs/**/*.md", "packages/*/README.md"], { cwd: repository });
  const broken = pages.flatMap((page) => {
    const file = resolve(repository, page);
    const targets = [...readFileSync(file, "utf8").matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(
      ([, target = ""]) => target,
    );
    return targets
      .filter((target) => {
        const [path = "", anchor] = target.split("#");
        const linked = path === "" ? file : resolve(dirname(file), path);
        return !existsSync(linked) || (anchor !== undefined && !anchorsOf(linked).includes(anchor));
      })
      .map((target) => `${page}: ${target}`);
  });
  expect(pages.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test("the architecture picture shows the folders and dependencies of the code", () => {
  const check = ["scripts/draw-architecture.mjs", "--check"];
  const { status, stderr } = spawnSync(process.execPath, check, { cwd: repository, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
