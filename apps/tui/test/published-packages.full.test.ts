import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPackageCommand, findPackageProgram } from "@gpu-offers/testkit/package-command";
import { startCommand, type Ended } from "@gpu-offers/testkit/running-process";
import { listening } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { beforeAll, describe, expect, test } from "vitest";

// Every package as people get it: packed, installed into an empty folder, and used there.

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const timeoutMs = 300_000;

const publint = findPackageCommand("publint@0.3.25", "publint");
const attw = findPackageCommand("@arethetypeswrong/cli@0.18.5", "attw");

const NODES = [
  { major: 24, node: process.execPath },
  // The package of this platform alone; its wrapper would choose one in an install script.
  { major: 22, node: findPackageProgram(`node-${process.platform}-${process.arch}@22.23.3`, "node") },
];

/** A program over all libraries: it reads a price list, asks the service, and lists the tools for agents. */
const PROGRAM = `
import { createAgentServer } from "@gpu-offers/agent";
import { createClient } from "@gpu-offers/client";
import { cheapestListings } from "@gpu-offers/domain";
import { readSkypilot } from "@gpu-offers/sources";

const file = [
  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region",
  "gpu_1x_h100_pcie,H100,1,26,200,,2.49,,us-west-3",
].join("\\n");
const offers = [];
for await (const item of readSkypilot(file, { provider: "lambda", type: "vm" })) {
  if (item.kind === "offer") offers.push(item.offer);
}
const { totalElements } = await createClient({ baseUrl: process.argv[2] }).listOffers();
console.log(JSON.stringify({ usd: cheapestListings(offers, { available: undefined })[0]?.offer.priceHourly, totalElements, agent: typeof createAgentServer }));
`;

let tarballs: string[] = [];
let project = "";

beforeAll(() => {
  const folder = tempFolder();
  execFileSync("pnpm", ["run", "pack", folder], { cwd: REPOSITORY, stdio: "pipe" });
  tarballs = readdirSync(folder).map((file) => join(folder, file));
  project = tempFolder();
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(project, "program.js"), PROGRAM);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...tarballs, "zod"], { cwd: project, stdio: "pipe" });
}, timeoutMs);

/** Standard output of a program that ended well; what it printed on standard error is in the failure. */
async function output(ended: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await ended;
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  return stdout;
}

test("six packages are packed, and no dependency runs an install script when it is installed", () => {
  expect(tarballs).toHaveLength(6);
  const { packages } = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")) as {
    packages: Record<string, { hasInstallScript?: true }>;
  };
  expect(Object.keys(packages).length).toBeGreaterThan(50);
  expect(Object.keys(packages).filter((name) => packages[name]?.hasInstallScript)).toEqual([]);
});

describe.for(NODES)("on Node $major (skipped if not installable)", ({ major, node = "" }) => {
  const installed = (name: string): string => join(project, "node_modules/.bin", name);

  test.skipIf(node === "")("the service serves, the picker picks, agents find tools, and libraries run", async () => {
    expect(await output(startCommand(node, ["--version"]).ended)).toMatch(new RegExp(`^v${major}\\.`));
    const database = `sqlite:${join(tempFolder(), "offers.sqlite")}`;
    const settings = { PORT: "0", DATABASE_URL: database };
    const service = await listening(startCommand(node, [installed("gpu-offers-server")], settings));

    expect((await fetch(`${service.url}/docs/swagger-ui-bundle.js`)).status).toBe(200);

    const status = startCommand(node, [installed("gpu-offers-admin"), "catalog", "status"], settings);
    expect(await output(status.ended)).toContain("hyperstack");

    const reach = { GPU_OFFERS_URL: service.url, HOME: tempFolder() };
    const picked = await output(startCommand(node, [installed("gpu-offers"), "--first", "--sample"], reach).ended);
    expect(JSON.parse(picked)).toMatchObject({ deployment: { provider: expect.any(String) } });

    const requests = [
      {
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      },
      { method: "notifications/initialized" },
      { id: 1, method: "tools/list", params: {} },
    ];
    const all = requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join("");
    const mcp = startCommand(node, [installed("gpu-offers"), "mcp"], reach, { stdin: { all } });
    expect(await output(mcp.ended)).toContain("find_gpu_offers");

    const run = startCommand(node, [join(project, "program.js"), service.url]);
    const printed: unknown = JSON.parse(await output(run.ended));
    expect(printed).toMatchObject({ usd: 2.49, totalElements: expect.any(Number), agent: "function" });
    await service.stop();
  });
});

describe("the manifests", () => {
  test.skipIf(publint === undefined)(
    "leave publint --strict nothing to say (skipped where it cannot be installed)",
    async () => {
      for (const tarball of tarballs) {
        const ended = await publint?.run("run", tarball, "--strict");
        expect([tarball, ended?.code, ended?.stdout]).toEqual([tarball, 0, expect.stringContaining("All good!")]);
      }
    },
  );

  test.skipIf(attw === undefined)(
    "leave attw nothing to say about the libraries (skipped where it cannot be installed)",
    async () => {
      const libraries = tarballs.filter((file) => /gpu-offers-(?:agent|client|domain|sources)-/.test(file));
      expect(libraries).toHaveLength(4);
      for (const library of libraries) {
        const ended = await attw?.run(library, "--profile", "esm-only");
        // It ends with 1 where it finds a problem.
        expect([library, ended?.code, ended?.code === 0 ? "" : ended?.stdout]).toEqual([library, 0, ""]);
      }
    },
  );
});
