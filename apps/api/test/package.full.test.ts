import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { image } from "./dockerfile.ts";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startCommand, type Ended, type RunningProcess } from "@gpu-offers/testkit/running-process";
import { listening } from "@gpu-offers/testkit/service";

// The folder to deploy, run like in the Dockerfile: outside the repository, as another user if the tests run as root, with
// write access only to its data.

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const isRoot = process.getuid?.() === 0;

const root = mkdtempSync(join(tmpdir(), "gpu-offers-package-"));
const app = join(root, "app");
const data = join(root, "data");
const bin = join(root, "bin");

beforeAll(() => {
  done("npx", "-y", "pnpm@12", "exec", "node", "scripts/package.mjs", app);
  mkdirSync(data);
  mkdirSync(bin);
  // Another user may not have access to the Node that runs the tests.
  copyFileSync(process.execPath, join(bin, "node"));
  chmodSync(root, 0o755);
  done("chmod", "-R", "a-w,a+rX", app);
  if (isRoot) {
    done("chown", `${image.user.uid}:${image.user.gid}`, data);
  }
});

afterAll(() => {
  done("chmod", "-R", "u+w", app);
  rmSync(root, { recursive: true });
});

/** Runs a program of this machine to completion. */
function done(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: REPOSITORY, stdio: "pipe" });
}

/** Runs a command of the image: `/app` and `/data` are our folders, and the port is a free one. */
function run(command: readonly string[], settings: Readonly<Record<string, string>> = {}): RunningProcess {
  const here = (text: string): string => text.replace(/(^|:)\/(app|data)(?=\/|$)/, `$1${root}/$2`);
  const [program = "", ...args] = command.map(here);
  const fromImage = Object.entries(image.settings).map(([name, value]) => [name, here(value)]);
  return startCommand(
    program,
    args,
    {
      ...(Object.fromEntries(fromImage) as Record<string, string>),
      HOST: "127.0.0.1",
      PORT: "0",
      // The system's programs, for the shebang's env.
      PATH: [join(app, "bin"), bin, "/usr/bin", "/bin"].join(delimiter),
      ...settings,
    },
    { cwd: app, ...(isRoot ? { user: image.user } : {}) },
  );
}

const admin = (...args: string[]): Promise<Ended> => run(["gpu-offers-admin", ...args]).ended;

describe("the package", () => {
  test("starts on a read-only folder, fills its data, responds, is healthy, and stops gracefully", async () => {
    const service = await listening(run(image.command));
    expect(jsonOf(await fetchFrom(service, "/health/ready"))).toMatchObject({ status: "ready", revision: 1 });
    const { version } = jsonOf(await fetchFrom(service, "/health/live")) as { version: string };
    expect(version).toMatch(/^\d+\.\d+\.\d+\+20\d{6}\.[\da-f]{8}$/);
    expect((await admin("--version")).stdout).toBe(`${version}\n`);
    expect((await fetchFrom(service, "/metrics")).text).toContain(`gpu_offers_info{version="${version}"} 1`);
    expect((await fetchFrom(service, "/api/v1/offers?size=100")).status).toBe(200);
    // The greeting contains the command as this shell finds it.
    expect(service.process.stderr()).toMatch(/^ {4}gpu-offers-admin catalog status$/m);
    expect((await fetchFrom(service, "/docs")).text).toContain("swagger");
    const docs = (await fetchFrom(service, "/docs")).text;
    const page = (await fetchFrom(service, "/", { headers: { Accept: "text/html" } })).text;
    const assets = [...`${docs}${page}`.matchAll(/(?:src|href)="\.?\/?((?:docs|assets)\/[^"]+)"/g)].map(
      ([, asset]) => asset,
    );
    expect(assets.filter((asset) => asset?.startsWith("assets/") === true)).toHaveLength(4);
    for (const asset of assets) {
      expect([asset, (await fetchFrom(service, `/${asset}`)).status]).toEqual([asset, 200]);
    }
    expect(page).toContain('<tr class="row');

    const health = (port: number): Promise<Ended> => run(image.healthCheck, { PORT: String(port) }).ended;
    expect((await health(service.port)).code).toBe(0);
    const ended = await service.stop();
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stdout).toMatch(/^\{"level":"info"/);
    expect((await health(service.port)).code).toBe(1);
    expect(readdirSync(data)).toEqual(["gpu-offers.sqlite"]);
  });

  test("includes the admin command, which creates an account, a key and credit", async () => {
    const email = "ada@example.com";
    expect(await admin("account", "create", "--email", email, "--name", "Ada")).toMatchObject({ code: 0, stderr: "" });
    const made = await admin("key", "create", "--account", email, "--json");
    const { key } = JSON.parse(made.stdout) as { key: string };
    await admin("credit", "add", "--account", email, "--amount", "25.00", "--reference", "invoice-17");
    const service = await listening(run(image.command));
    const request = { headers: { Authorization: `Bearer ${key}` } };
    expect(jsonOf(await fetchFrom(service, "/api/v1/account/balance", request))).toMatchObject({ balance: "25.0000" });
    await service.stop();
    expect((await admin("verify")).code).toBe(0);
  });

  test("verifies a database on read-only media, and copies from it", async () => {
    const media = join(root, "media");
    mkdirSync(media);
    copyFileSync(join(data, "gpu-offers.sqlite"), join(media, "backup.sqlite"));
    done("chmod", "-R", "a-w,a+rX", media);
    const url = `sqlite:${media}/backup.sqlite`;
    expect(await run(["gpu-offers-admin", "verify"], { DATABASE_URL: url }).ended).toMatchObject({
      code: 0,
      stderr: "",
    });
    const copied = `sqlite:${data}/copied.sqlite`;
    const copying = await run(["gpu-offers-admin", "database", "copy", "--from", url, "--to", copied, "--json"]).ended;
    expect(copying).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(copying.stdout)).toMatchObject({ accounts: 1, balance: "25.0000" });
    expect(readdirSync(media)).toEqual(["backup.sqlite"]);
    rmSync(join(data, "copied.sqlite"));
    done("chmod", "-R", "u+w", media);
  });

  test("shows the admin command with its path if it is not on the PATH", async () => {
    const service = await listening(run(image.command, { PATH: [bin, "/usr/bin", "/bin"].join(delimiter) }));
    const [, command = ""] = /^ {4}(\S+) catalog status$/m.exec(service.process.stderr()) ?? [];
    expect(command).toBe(join(app, "bin/gpu-offers-admin"));
    expect((await run([command, "catalog", "status"]).ended).code).toBe(0);
    await service.stop();
  });

  test.runIf(isRoot)("cannot be changed by the user that runs it", async () => {
    const write = "require('fs').writeFileSync(process.argv[1], '')";
    for (const path of [join(app, "dist/main.js"), join(app, "new"), join(app, "node_modules/zod/new")]) {
      expect((await run(["node", "-e", write, path]).ended).stderr).toContain("EACCES");
    }
    expect((await run(["node", "-e", write, join(data, "new")]).ended).code).toBe(0);
    rmSync(join(data, "new"));
  });

  test("reports in one line that its data cannot be written", async () => {
    const ended = await run(image.command, { DATABASE_URL: `sqlite:${app}/data/x.sqlite` }).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^gpu-offers-server: cannot open the database .*\n$/);
  });
});

/** Name and version of every package in the folder, without duplicates. */
function listPackages(folder: string): string[] {
  const modules = join(folder, "node_modules");
  const names = listFolder(modules).flatMap((name) =>
    name.startsWith("@") ? listFolder(join(modules, name)).map((part) => `${name}/${part}`) : [name],
  );
  return names.flatMap((name) => {
    const path = join(modules, name);
    return [`${name}@${String(readManifest(path)["version"])}`].concat(listPackages(path));
  });
}

function listFolder(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

function readManifest(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Record<string, unknown>;
}

interface BillOfMaterials {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { group: string; name: string; type: string; version: string } };
  components: {
    group?: string;
    name: string;
    version: string;
    purl: string;
    licenses?: unknown[];
    hashes?: unknown[];
  }[];
}

describe("the package holds", () => {
  const bill = () => JSON.parse(readFileSync(join(app, "sbom.cdx.json"), "utf8")) as BillOfMaterials;

  test("exactly the packages of its SBOM", () => {
    const { bomFormat, specVersion, metadata, components } = bill();
    expect([bomFormat, specVersion]).toEqual(["CycloneDX", "1.6"]);
    const { name, version } = readManifest(app);
    expect([metadata.component.name, metadata.component.version]).toEqual([name, version]);
    expect(metadata.component.type).toBe("application");
    const listed = components.map((component) =>
      [component.group, `${component.name}@${component.version}`].filter((part) => part !== undefined).join("/"),
    );
    const withoutHash = components.filter(({ hashes = [] }) => hashes.length === 0).map(({ purl }) => purl);
    expect(withoutHash.filter((each) => !each.includes("gpu-offers"))).toEqual([]);
    const present = [...new Set(listPackages(app))].sort();
    expect(listed.sort()).toEqual(present);
    process.stdout.write(`The package holds ${present.length} packages, the service itself not counted.\n`);
  });

  test("no development dependency, no install script to run, and a license for every package", () => {
    const { devDependencies = {} } = readManifest(join(REPOSITORY, "apps/api")) as {
      devDependencies?: Record<string, string>;
    };
    const folders = globSync("{packages/{sources,store,fetch,sync},apps/admin}", { cwd: REPOSITORY });
    const needed = new Set(
      folders.flatMap((folder) => Object.keys(readManifest(join(REPOSITORY, folder))["dependencies"] as object)),
    );
    const names = new Set(listPackages(app).map((text) => text.slice(0, text.lastIndexOf("@"))));
    // A runtime dependency of one package may be a tool of another.
    const tools = Object.keys(devDependencies).filter((name) => !needed.has(name));
    expect(tools.length).toBeGreaterThan(3);
    expect(tools.filter((name) => names.has(name))).toEqual([]);
    expect(readManifest(app)).not.toHaveProperty("scripts");
    expect(bill().components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });

  test("no tests, no sources, no source maps, and no path of the machine that built it", () => {
    const files = readdirSync(app, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter(({ name }) => /\.(?:map|[cm]?ts|c|cpp)$|\.test\./.test(name))).toEqual([]);
    const small = files
      .filter(({ name }) => /\.(?:json|yaml|js)$/.test(name))
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(small.filter((path) => readFileSync(path, "utf8").includes(resolve(REPOSITORY)))).toEqual([]);
  });
});

test("pages that only link to files in the folder", () => {
  const pages = globSync("{*.md,docs/**/*.md}", { cwd: app });
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(app, page), "utf8");
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) => target);
    return targets
      .filter((target) => !existsSync(join(app, dirname(page), target)))
      .map((target) => `${page}: ${target}`);
  });
  expect(pages.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test("a folder that it did not create is left unchanged", () => {
  const folder = mkdtempSync(join(root, "foreign-"));
  writeFileSync(join(folder, "letter.txt"), "mine");
  const { status, stderr } = spawnSync(process.execPath, [join(REPOSITORY, "scripts/package.mjs"), folder], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([
    1,
    `gpu-offers: ${folder} is not empty and was not created by this command. Choose another folder.\n`,
  ]);
  expect(readdirSync(folder)).toEqual(["letter.txt"]);
});
