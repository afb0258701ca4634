import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readmeModule } from "../src/readme.fixture.ts";

// The published package: packed, installed in an empty project, compiled against and run.

const timeoutMs = 120_000;
const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

interface Manifest {
  version: string;
  dependencies?: object;
  peerDependencies?: object;
}

const manifestOf = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8"));

let project = "";
let packed: string[] = [];

/** Runs a program in the empty project; throws with its output if it fails. */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: "utf8", timeout: timeoutMs });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
  return stdout;
}

beforeAll(() => {
  if (!existsSync(join(root, "dist", "index.js"))) {
    throw new Error("packages/domain/dist is missing; build it first: pnpm build");
  }
  project = mkdtempSync(join(tmpdir(), "gpu-offers-pack-"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const [{ filename, files }] = JSON.parse(run("npm", "pack", root, "--json", "--ignore-scripts"));
  packed = files.map(({ path }: { path: string }) => path);
  const zod = `zod@${manifestOf(require.resolve("zod/package.json")).version}`;
  run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", `./${filename}`, zod);
}, timeoutMs);

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe("the packed package", () => {
  test("contains only the build, its sources, README and license", () => {
    const sources = globSync("**/*.ts", { cwd: join(root, "src") }).filter(
      (file) => !/\.(test|fixture)\.ts$/.test(file),
    );
    const built = sources.flatMap((file) =>
      [".d.ts", ".d.ts.map", ".js", ".js.map"].map((end) => file.replace(".ts", end)),
    );
    expect(new Set(packed)).toEqual(
      new Set([
        "package.json",
        "README.md",
        "LICENSE",
        ...sources.map((file) => `src/${file}`),
        ...built.map((file) => `dist/${file}`),
      ]),
    );
  });

  test("has zod as a peer and no other dependency", () => {
    const { dependencies, peerDependencies } = manifestOf(
      join(project, "node_modules/@gpu-offers/domain/package.json"),
    );
    expect(dependencies).toBe(undefined);
    expect(Object.keys(peerDependencies ?? {})).toEqual(["zod"]);
    const installed = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."));
    expect(installed).toEqual(["@gpu-offers", "zod"]);
    expect(readdirSync(join(project, "node_modules/@gpu-offers"))).toEqual(["domain"]);
  });

  test("imports zod and its own files, so that it runs in browsers too", () => {
    const dist = join(project, "node_modules/@gpu-offers/domain/dist");
    const files = globSync("**/*.js", { cwd: dist });
    expect(files.length).toBeGreaterThan(100);
    const imported = files.flatMap(
      (file) => readFileSync(join(dist, file), "utf8").match(/(?<=(?:from |import |import\()")[^"]+/g) ?? [],
    );
    expect(new Set(imported.filter((name) => !/^\.\.?\//.test(name)))).toEqual(new Set(["zod"]));
  });

  test(
    "compiles in a strict project, and runs there as documented in the README",
    () => {
      mkdirSync(join(project, "src"));
      writeFileSync(join(project, "src", "readme.ts"), readmeModule(readFileSync(join(root, "README.md"), "utf8")));
      // The examples are checked by what they throw; this is all that they use of node:assert.
      writeFileSync(
        join(project, "src", "assert.d.ts"),
        'declare module "node:assert/strict" { export function deepEqual(actual: unknown, expected: unknown): void; }',
      );
      const options = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
      const output = {
        module: "nodenext",
        target: "es2023",
        lib: ["es2023", "dom"],
        types: [],
        rootDir: "src",
        outDir: "out",
      };
      writeFileSync(
        join(project, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { ...options, ...output }, include: ["src"] }),
      );
      expect(run(process.execPath, tsc, "-p", ".")).toBe("");
      expect(run(process.execPath, "out/readme.js")).toBe("");
    },
    timeoutMs,
  );
});
