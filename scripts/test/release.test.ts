import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "../../packages/testkit/src/temp-folder.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const json = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;

/** A copy of what a release writes. */
function copyManifests(): string {
  const copy = tempFolder();
  const paths = globSync(["package.json", "{packages,apps}/*/package.json", "{bench,robustness}/package.json"], {
    cwd: REPOSITORY,
  });
  for (const path of [...paths, "server.json", "CHANGELOG.md"]) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(copy, path));
  }
  return copy;
}

function release(folder: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(REPOSITORY, "scripts/release.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

test("a version is set everywhere, and checked against the tag", () => {
  const copy = copyManifests();
  expect(release(copy, "check", "v7.8.9").stderr).toContain("server.json has version 0.1.0, not 7.8.9.");
  expect(release(copy, "set", "7.8.9").code).toBe(0);
  expect(release(copy, "check", "v7.8.9")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(release(copy, "notes", "v7.8.9").stdout).toMatch(/^### /);
  writeFileSync(join(copy, "CHANGELOG.md"), "# Changelog\n");
  expect(release(copy, "check", "v7.8.9").stderr).toBe('release: CHANGELOG.md has no section "## 7.8.9 - DATE".\n');
  expect(release(copy, "check", "latest")).toMatchObject({
    code: 1,
    stderr: 'release: "latest" is not a version such as v0.2.0.\n',
  });
});

test("every package has the same version", () => {
  const versions = globSync("{packages,apps}/*/package.json", { cwd: REPOSITORY }).map((path) => json(path)["version"]);
  expect(new Set(versions)).toEqual(new Set([json("package.json")["version"]]));
});

// The registry's schema of 2025-12-11, and its rules for npm packages: modelcontextprotocol.io/registry/package-types.
test("server.json describes the published package as MCP registries want it", () => {
  const server = json("server.json") as {
    name: string;
    title: string;
    description: string;
    version: string;
    repository: { subfolder: string };
    packages: Record<string, unknown>[];
  };
  const manifest = json(`${server.repository.subfolder}/package.json`);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.name).toBe(manifest["mcpName"]);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(server.version).toBe(manifest["version"]);
  expect(server.packages).toEqual([
    expect.objectContaining({
      registryType: "npm",
      identifier: manifest["name"],
      version: manifest["version"],
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "mcp" }],
    }),
  ]);
  const known =
    "registryType registryBaseUrl identifier version fileSha256 runtimeHint transport runtimeArguments packageArguments environmentVariables";
  expect(known.split(" ")).toEqual(expect.arrayContaining(Object.keys(server.packages[0] ?? {})));
});

test.each(["release", "test"])("the commands of the workflow %s exist", (name) => {
  const workflow = read(`.github/workflows/${name}.yml`);
  const scripts = json("package.json")["scripts"] as Record<string, string>;
  const files = [...workflow.matchAll(/(?:node|bash) ([\w./-]+)/g)].map(([, path = ""]) => path);
  expect(files.filter((path) => !existsSync(join(REPOSITORY, path)))).toEqual([]);
  const commands = [...workflow.matchAll(/pnpm@12 (?:run )?([\w:]+)/g)].map(([, command = ""]) => command);
  expect(commands.filter((command) => !Object.hasOwn(scripts, command))).toEqual([]);
  const subcommands = [...workflow.matchAll(/release\.mjs (\w+)/g)].map(([, command = ""]) => command);
  for (const command of subcommands) {
    expect(release(REPOSITORY, command, "v0.0.1").stderr).not.toContain("is not a command");
  }
  expect(files.length).toBeGreaterThan(0);
});
