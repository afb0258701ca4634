import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPackageProgram } from "@gpu-offers/testkit/package-command";
import { startCommand, type Ended } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { beforeAll, describe, expect, test } from "vitest";

// The packages in projects of CommonJS, as "CommonJS and Jest" of their READMEs says.

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const timeoutMs = 300_000;

const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

const MODULES = [
  "domain",
  "domain/launching",
  "domain/gpus",
  "domain/history",
  "domain/paging",
  "client",
  "sources",
  "sources/kit",
].map((name) => `@gpu-offers/${name}`);

const STATIC = `import { hourlyCost } from "@gpu-offers/domain";\nconsole.log(typeof hourlyCost);\n`;

const DYNAMIC = `async function main(): Promise<void> {
  const { hourlyCost } = await import("@gpu-offers/domain");
  const { readCatalog } = await import("@gpu-offers/sources");
  const { LiveOffers } = await import("@gpu-offers/sources/kit");
  const { createClient } = await import("@gpu-offers/client");
  console.log(typeof hourlyCost, typeof readCatalog, typeof LiveOffers, typeof createClient);
}
void main();
`;

const JEST = `import { hourlyCost } from "@gpu-offers/domain";
import { readCatalog } from "@gpu-offers/sources";
test("a price list", async () => {
  const columns = { provider: { value: "acme" }, gpu: "Card", priceHourly: "USD" };
  const { offers } = await readCatalog("Card,USD\\nH100 SXM,2.5\\n", { columns });
  expect(hourlyCost(offers[0], 0)).toBe("2.5000");
});
`;

const jest = findPackageProgram("jest@30.5.2", "jest");

let project = "";

beforeAll(() => {
  const folder = tempFolder();
  execFileSync("pnpm", ["run", "pack", folder], { cwd: REPOSITORY, stdio: "pipe" });
  const libraries = readdirSync(folder).filter((file) => /^gpu-offers-(?:client|domain|sources)-/.test(file));
  project = tempFolder();
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  const packed = libraries.map((file) => join(folder, file));
  const others = ["zod", "@types/node@22"];
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packed, ...others], { cwd: project, stdio: "pipe" });
}, timeoutMs);

/** Runs Node in the project. */
function run(args: readonly string[], settings: Record<string, string> = {}): Promise<Ended> {
  return startCommand(process.execPath, args, settings, { cwd: project }).ended;
}

function compile(file: string, module: string): Promise<Ended> {
  const options = ["--module", module, "--target", "es2022", "--strict", "--types", "node"];
  return run([tsc, file, ...options]);
}

test("require loads every entry", async () => {
  const code = `for (const name of ${JSON.stringify(MODULES)}) console.log(Object.keys(require(name)).length > 1);`;
  writeFileSync(join(project, "required.cjs"), code);
  expect(await run(["required.cjs"])).toMatchObject({ code: 0, stdout: "true\n".repeat(MODULES.length) });
});

describe("TypeScript", { timeout: timeoutMs }, () => {
  test.for(["node16", "nodenext"])("--module %s compiles await import", async (module) => {
    writeFileSync(join(project, "dynamic.ts"), DYNAMIC);
    expect(await compile("dynamic.ts", module)).toMatchObject({ code: 0, stdout: "" });
    expect(await run(["dynamic.js"])).toMatchObject({ code: 0, stdout: "function function function function\n" });
  });

  test("--module nodenext compiles import, and node16 names the way out", async () => {
    writeFileSync(join(project, "static.ts"), STATIC);
    expect(await compile("static.ts", "nodenext")).toMatchObject({ code: 0, stdout: "" });
    expect(await run(["static.js"])).toMatchObject({ code: 0, stdout: "function\n" });
    const { code, stdout } = await compile("static.ts", "node16");
    expect([code === 0, stdout]).toEqual([false, expect.stringContaining("error TS1479")]);
    expect(stdout).toContain("dynamic 'import(\"@gpu-offers/domain\")'");
  });
});

test.skipIf(jest === undefined)(
  "Jest runs a test with --experimental-vm-modules (skipped where it cannot be installed)",
  { timeout: timeoutMs },
  async () => {
    writeFileSync(join(project, "prices.test.mjs"), JEST);
    const args = [jest ?? "", "--rootDir", project, "--testMatch", "**/prices.test.mjs"];
    const settings = { NODE_OPTIONS: "--experimental-vm-modules" };
    const { code, stderr } = await startCommand(process.execPath, args, settings, { cwd: project }).ended;
    expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  },
);
