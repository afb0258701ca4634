import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// The picker as people install it: the packed folder, globally, by npm.

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

test("the packed picker is installed globally and runs, with the licenses of what it contains", () => {
  const folder = tempFolder();
  const options = { cwd: folder, encoding: "utf8", stdio: "pipe" } as const;
  execFileSync("npm", ["pack", FOLDER, "--ignore-scripts", "--pack-destination", folder], options);
  const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
  const prefix = join(folder, "prefix");
  execFileSync("npm", ["install", "--global", "--offline", "--prefix", prefix, join(folder, tarball)], options);
  const installed = join(prefix, "lib/node_modules/gpu-offers");
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist", "package.json"]));
  const notices = readFileSync(join(installed, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["ink", "react", "commander", "zod", "yoga-layout"]) {
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, "m"));
  }
  // Whichever Node runs this test: the newest that is supported, and others where they are installed.
  const args = [join(prefix, "bin/gpu-offers"), "--catalog", STARTER, "--gpu", "h100", "--first", "--sample"];
  const ended = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(ended.status).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ deployment: {} });
});
