import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findPythonProgram } from "@gpu-offers/testkit/python-program";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// What one tag publishes: the commands of the workflow `release`, run as they are on a copy of the repository. Programs that
// reach registries only write down how they were called; packages are packed, and npm publishes them with --dry-run.
// Not run here: the build of the image, which needs a Docker engine, and the logins. CI builds the image on each change.

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface Job {
  needs?: string;
  permissions?: Record<string, string>;
  steps: { run?: string; env?: Record<string, string> }[];
}

const { jobs } = parse(read(".github/workflows/release.yml")) as { jobs: Record<string, Job> };
const { version } = JSON.parse(read("package.json")) as { version: string };

const folder = tempFolder();
const copy = join(folder, "checkout");
const packed = join(folder, "packed");
const bin = join(folder, "bin");
const log = join(folder, "log");

/** A program that writes down its arguments, and what else it does. */
function addProgram(name: string, more = ""): void {
  const path = join(bin, name);
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> ${log}\n${more}\n`);
  chmodSync(path, 0o755);
}

/** Runs the commands of a job in order, and returns how the programs were called. */
async function calledBy(name: string, settings: Record<string, string> = {}): Promise<string[]> {
  writeFileSync(log, "");
  for (const { run, env = {} } of jobs[name]?.steps ?? []) {
    if (run !== undefined) {
      const secrets = Object.fromEntries(Object.keys(env).map((key) => [key, "secret"]));
      const environment = {
        HOME: folder,
        GITHUB_REF_NAME: `v${version}`,
        GITHUB_REPOSITORY: "GPU-offers/gpu-offers",
        GITHUB_ACTOR: "ada",
        PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(":"),
        ...secrets,
        ...settings,
      };
      const { code, stderr } = await startCommand("/bin/bash", ["-e", "-c", run], environment, { cwd: copy }).ended;
      if (code !== 0) {
        throw new Error(`${run} ended with ${code}: ${stderr}`);
      }
    }
  }
  return readFileSync(log, "utf8").trim().split("\n");
}

beforeAll(() => {
  mkdirSync(bin);
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files) {
    cpSync(join(ROOT, file), join(copy, file));
  }
  execFileSync(process.execPath, ["scripts/release.mjs", "set", version], { cwd: copy });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: copy });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Release");
  execFileSync("npx", ["-y", "pnpm@12", "exec", "node", "scripts/pack.mjs", packed], { cwd: ROOT, stdio: "pipe" });
  const npm = execFileSync("which", ["npm"], { encoding: "utf8" }).trim();
  addProgram("bash");
  addProgram("npx", `case "$*" in *" run pack") mkdir -p dist && cp -r ${packed} dist/packages ;; esac`);
  addProgram(
    "npm",
    `case $1 in view) [ -n "$PUBLISHED" ] && echo "$PUBLISHED" ;; publish) exec ${npm} publish "$2" --dry-run --access public --offline ;; esac`,
  );
  addProgram("gh", "test -s notes.md");
  addProgram("docker", 'case $1 in login) read -r token && [ "$token" = secret ] ;; build) test -e Dockerfile ;; esac');
  addProgram("go", "test -e server.json");
}, 120_000);

describe("a tag", { timeout: 300_000 }, () => {
  test("is checked, tested and packed first", async () => {
    expect(await calledBy("test")).toEqual(["bash .ci/run", "npx -y pnpm@12 run pack"]);
    expect(readdirSync(join(copy, "dist/packages"))).toHaveLength(6);
  });

  test("publishes all packages with provenance, then creates the release", async () => {
    const tarballs = readdirSync(join(copy, "dist/packages")).sort();
    const names = tarballs.map((file) =>
      file.replace(/^gpu-offers-(?=(?:agent|client|domain|sources)-)/, "@gpu-offers/"),
    );
    const called = await calledBy("publish");
    expect(called).toEqual([
      "npm install --global npm@11",
      ...tarballs.flatMap((file, index) => [
        `npm view ${names[index]?.replace(`-${version}.tgz`, "")}@${version} version`,
        `npm publish dist/packages/${file} --provenance --access public`,
      ]),
      expect.stringMatching(new RegExp(`^gh release create v${version} dist/packages/.*--verify-tag`)),
    ]);
    expect(jobs["publish"]?.permissions).toEqual({ contents: "write", "id-token": "write" });
    // A repeated run.
    const repeated = await calledBy("publish", { PUBLISHED: version });
    expect(repeated.filter((line) => line.startsWith("npm publish"))).toEqual([]);
  });

  test("builds the image with the name of the commit, and pushes it", async () => {
    const image = `ghcr.io/gpu-offers/gpu-offers:${version}`;
    expect(await calledBy("image")).toEqual([
      "docker login ghcr.io --username ada --password-stdin",
      expect.stringMatching(new RegExp(`^docker build --build-arg BUILD=\\d{8}\\.[0-9a-f]{8} --tag ${image} \\.$`)),
      `docker run --rm ${image} gpu-offers-admin --version`,
      `docker push ${image}`,
    ]);
    expect(jobs["image"]?.permissions).toEqual({ contents: "read", packages: "write" });
  });

  test("publishes server.json once its package is there, with the identity of the workflow", async () => {
    const publisher = "github.com/modelcontextprotocol/registry/cmd/publisher@v1.8.9";
    expect(await calledBy("registry")).toEqual([
      `go run ${publisher} login github-oidc`,
      `go run ${publisher} publish server.json`,
    ]);
    expect(jobs["registry"]).toMatchObject({ needs: "publish", permissions: { "id-token": "write" } });
  });

  test("stops before anything is published if a version differs", async () => {
    const manifest = join(copy, "server.json");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, text.replaceAll(`"${version}"`, '"9.9.9"'));
    await expect(calledBy("test")).rejects.toThrow(`server.json has version 9.9.9, not ${version}.`);
    writeFileSync(manifest, text);
    expect(Object.entries(jobs).filter(([name, { needs }]) => name !== "test" && needs === undefined)).toEqual([]);
  });
});

describe("a schema", () => {
  const checker = findPythonProgram("check-jsonschema==0.39.0", "check-jsonschema");
  const check = (...args: string[]) => startCommand(checker ?? "", args, {}, { cwd: ROOT }).ended;
  const missing = checker === undefined ? " (SKIPPED: check-jsonschema==0.39.0 could not be installed)" : "";

  test.skipIf(checker === undefined)(`of Compose and of workflows has what it wants${missing}`, async () => {
    const compose = ["--builtin-schema", "vendor.compose-spec"];
    expect(await check(...compose, "deploy/compose.yaml")).toMatchObject({ code: 0 });
    const workflows = readdirSync(join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`);
    expect(await check("--builtin-schema", "vendor.github-workflows", ...workflows)).toMatchObject({ code: 0 });
    expect((await check(...compose, ".github/workflows/test.yml")).code).toBe(1);
  });

  const registry = checker && findRegistry();
  const without = registry === undefined ? " (SKIPPED: no Go, or no module of the registry)" : "";

  test.skipIf(registry === undefined)(`of the MCP registry has what it wants of server.json${without}`, async () => {
    const { $schema } = JSON.parse(read("server.json")) as { $schema: string };
    const date = /\/(\d{4}-\d{2}-\d{2})\//.exec($schema)?.[1];
    const schema = join(registry ?? "", `internal/validators/schemas/${date}.json`);
    expect(JSON.parse(readFileSync(schema, "utf8"))).toMatchObject({ $id: $schema });
    expect(await check("--schemafile", schema, "server.json")).toMatchObject({ code: 0 });
    const invalid = join(folder, "invalid.json");
    appendFileSync(invalid, read("server.json").replace('"transport": { "type": "stdio" },', ""));
    expect((await check("--schemafile", schema, invalid)).code).toBe(1);
  });
});

/** The registry's own source, at the version that publishes; undefined without Go or a module proxy. */
function findRegistry(): string | undefined {
  try {
    const module = "github.com/modelcontextprotocol/registry@v1.8.9";
    const found = execFileSync("go", ["mod", "download", "-json", module], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
    return (JSON.parse(found) as { Dir: string }).Dir;
  } catch {
    return undefined;
  }
}
