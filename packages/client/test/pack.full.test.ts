import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readmeModule } from "@gpu-offers/domain/readme.fixture";
import { keyWithCredit } from "@gpu-offers/testkit/accounts";
import { startService } from "@gpu-offers/testkit/service";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// The published package: the client and the domain are packed, installed in an empty project, compiled
// against and run.

const timeoutMs = 120_000;
const packages = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const manifestOf = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8"));

/** What compiles, and what doesn't: an error that isn't one fails, too. */
const VALUES = `
import { createClient, type ListingsQuery } from "@gpu-offers/client";
import { cheapestListings, type WrittenQuery } from "@gpu-offers/domain";
export const valid: ListingsQuery[] = [
  { disk: "1TB", max_price: "$2", hours: "3d", min_bandwidth: "3.35TB/s", min_vram: "80 GB", min_gpu_count: "8" },
  { gpu: "h100,h200", region: ["Texas, US"], seller: "cloud,host", availability: ["in_stock"], sort_by: "total" },
  { spot: true, nvlink: "true", verified: true, cuda: 12, budget: 20, page: 1, size: 100, fits: "70b@8", q: undefined },
];
export const rows = cheapestListings([], { max_hourly: "$2/h", disk: "500GB" });
export const client = createClient({ baseUrl: "http://127.0.0.1" });
const wrong = (_query: ListingsQuery & WrittenQuery): void => {};
${[
  'sort_by: "cheap"',
  'spot: "maybe"',
  "verified: false",
  'nvlink: "yes"',
  'disk: "lots"',
  'disk: "1TBB"',
  "disk: true",
  'max_price: "two"',
  'hours: "3 months"',
  'seller: "owner"',
  'availability: ["sold"]',
  "gpu: 100",
  "q: 8",
  "min_gpus: 8",
  "size: null",
]
  .map((entry) => `// @ts-expect-error\nwrong({ ${entry} });`)
  .join("\n")}
`;

let project = "";
const packed: Record<string, string[]> = {};

/** Runs a program, by default in the empty project; throws with its output if it fails. */
function run(command: string, args: readonly string[], cwd = project): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: timeoutMs });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
  return stdout;
}

/** Packs a package as it would be published; only pnpm resolves workspace: and catalog:. */
function pack(name: string): string {
  const root = join(packages, name);
  if (!existsSync(join(root, "dist", "index.js"))) {
    throw new Error(`packages/${name}/dist is missing; build it first: pnpm build`);
  }
  const args = ["--prefer-offline", "--yes", "pnpm@12", "pack", "--json", "--pack-destination", project];
  const { filename, files }: { filename: string; files: { path: string }[] } = JSON.parse(run("npx", args, root));
  packed[name] = files.map(({ path }) => path);
  return `./${basename(filename)}`;
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "gpu-offers-pack-"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const zod = `zod@${manifestOf(require.resolve("zod/package.json")).version}`;
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", pack("domain"), pack("client"), zod]);
}, timeoutMs);

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe("the packed package", () => {
  test("contains only the build, its sources, README and license", () => {
    const sources = readdirSync(join(packages, "client", "src")).filter((file) => !/\.(test|fixture)\.ts$/.test(file));
    const built = sources.flatMap((file) =>
      [".d.ts", ".d.ts.map", ".js", ".js.map"].map((end) => file.replace(".ts", end)),
    );
    expect(new Set(packed["client"])).toEqual(
      new Set([
        "package.json",
        "README.md",
        "LICENSE",
        ...sources.map((file) => `src/${file}`),
        ...built.map((file) => `dist/${file}`),
      ]),
    );
  });

  test("depends on a compatible domain, and zod as a peer", () => {
    const installed = (name: string) => manifestOf(join(project, "node_modules/@gpu-offers", name, "package.json"));
    expect(installed("client").dependencies).toEqual({ "@gpu-offers/domain": `^${installed("domain").version}` });
    expect(installed("client").peerDependencies).toEqual(installed("domain").peerDependencies);
    const names = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."));
    expect(names).toEqual(["@gpu-offers", "zod"]);
    expect(readdirSync(join(project, "node_modules/@gpu-offers"))).toEqual(["client", "domain"]);
  });

  test("imports the domain and its own files, so that it runs in browsers too", () => {
    const dist = join(project, "node_modules/@gpu-offers/client/dist");
    const files = readdirSync(dist).filter((file) => file.endsWith(".js"));
    const imported = files.flatMap(
      (file) => readFileSync(join(dist, file), "utf8").match(/(?<=(?:from|import) ?\(?")[^"]+/g) ?? [],
    );
    expect(imported.filter((name) => !/^\.\/|^@gpu-offers\/domain(?:\/\w+)?$/.test(name))).toEqual([]);
  });

  test(
    "compiles in a strict project, and runs there against the service as documented in the README",
    async () => {
      const service = await startService();
      mkdirSync(join(project, "src"));
      writeFileSync(
        join(project, "src", "readme.ts"),
        readmeModule(readFileSync(new URL("../README.md", import.meta.url), "utf8"))
          .replaceAll("http://127.0.0.1:3000", service.url)
          .replaceAll("gpo_...", await keyWithCredit(service, "25.50")),
      );
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
      writeFileSync(join(project, "src", "values.ts"), VALUES);
      expect(run(process.execPath, [tsc, "-p", "."])).toBe("");
      expect(run(process.execPath, ["out/readme.js"])).toBe("");
    },
    timeoutMs,
  );
});
