import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { linodeReplay, liveSettings } from "@gpu-offers/testkit/linode-server";
import { json, startReplay } from "@gpu-offers/testkit/replay-server";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// Runs the commands of a page in order, like a reader, and compares their output with the one that is documented: of a block
// `sh`, the block `text` or `json` below it; of an indented block, the lines below a command that begins with `$`. Blocks `js`
// that begin with the name of a file are that file. A test server stands in for the providers whose prices are fetched.

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

interface Step {
  commands: string;
  /** The documented output of the commands; `...` stands for anything. */
  printed: string;
}

interface Page {
  steps: readonly Step[];
  /** Programs in blocks, by the names of their files. */
  files: ReadonlyMap<string, string>;
}

/** Commands that are not run, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npx -y pnpm@12 start": "The test starts a service.",
  "bin/gpu-offers": "A screen: recorded-session.test.ts drives it.",
  "bin/gpu-offers-admin source enable --keyless": "It asks eleven providers.",
  "gpu-offers-admin key revoke ID": "ID stands for one that is listed.",
};

function pageOf(path: string): Page {
  const text = readFileSync(join(ROOT, path), "utf8");
  const steps: Step[] = [];
  const files = new Map<string, string>();
  const blocks =
    /^```(\w+)\n(.*?)^```\n(?:\n```(?:text|json)\n(.*?)^```\n)?|(?<=\n\n)((?: {4}[^\n]*\n|\n(?= {4}))+)/gms;
  for (const match of text.matchAll(blocks)) {
    const [, language, code = "", printed = "...", indented] = match;
    const [, name] = /^\/\/ (\S+\.mjs)\n/.exec(code) ?? [];
    if (language === "sh") {
      steps.push({ commands: code, printed });
    } else if (name !== undefined) {
      files.set(name, code);
    } else if (indented !== undefined) {
      const below = text.slice(match.index + indented.length);
      steps.push(...stepsOf(indented.replaceAll(/^ {4}/gm, ""), below));
    }
  }
  // Commands in sentences, without those that have a word to fill in.
  for (const [, command = ""] of text.matchAll(/(?<=[\s(])`(bin\/gpu-offers [^`\n]+|npx -y pnpm@12 [^`\n]+)`/g)) {
    if (!/\b[A-Z]{2,}\b/.test(command) && NOT_RUN[command] === undefined) {
      steps.push({ commands: command, printed: "..." });
    }
  }
  return { steps, files };
}

/** The commands of an indented block, whose output is below each, or in a block `json` below. */
function stepsOf(block: string, below: string): Step[] {
  const [, after = "..."] = /^\n```json\n(.*?\n)```\n/s.exec(below) ?? [];
  if (!block.startsWith("$ ")) {
    return [{ commands: block, printed: after }];
  }
  return block.split(/^\$ /m).flatMap((step) => {
    const [commands = "", ...printed] = step.split("\n");
    return commands === "" ? [] : [{ commands, printed: printed.join("\n") }];
  });
}

/** A pattern for output, ignoring the length of spaces: a line `...` is any lines, and `...` in a line any text or none. */
function patternOf(printed: string): RegExp {
  const lines = joinSpaces(printed)
    .trim()
    .split("\n")
    .map((line) =>
      line === "..."
        ? "(?:.*\\n)*"
        : `${line
            .split(/ ?\.{3} ?/)
            .map(escapePattern)
            .join(".*")}\\n`,
    );
  return new RegExp(`^${lines.join("")}`, "m");
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const joinSpaces = (text: string): string => text.replaceAll(/ +/g, " ").replaceAll(/^ | $/gm, "");

/** A folder like that of a reader: the repository's programs, and installed packages. */
function readersFolder(files: Page["files"]): { folder: string; path: string } {
  const folder = tempFolder();
  const bin = join(folder, "path");
  for (const name of ["bin", "apps"]) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  mkdirSync(join(folder, "node_modules/@gpu-offers"), { recursive: true });
  for (const name of ["client", "domain", "sources"]) {
    symlinkSync(join(ROOT, "packages", name), join(folder, "node_modules/@gpu-offers", name));
  }
  symlinkSync(join(ROOT, "packages/domain/node_modules/zod"), join(folder, "node_modules/zod"));
  symlinkSync(folder, join(folder, "gpu-offers"));
  for (const [name, code] of files) {
    writeFileSync(join(folder, name), code);
  }
  mkdirSync(bin);
  for (const name of ["gpu-offers", "gpu-offers-admin"]) {
    symlinkSync(join(ROOT, "bin", name), join(bin, name));
  }
  // Programs that a reader has: an agent, which starts the server and asks it, and npm, before the packages are published.
  addProgram(join(bin, "claude"), CLAUDE);
  addProgram(join(bin, "npm"), NPM);
  addProgram(join(bin, "npx"), NPX);
  return { folder, path: [bin, dirname(process.execPath), process.env["PATH"]].join(":") };
}

function addProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\nset -eu\n${text}`);
  chmodSync(path, 0o755);
}

const CLAUDE = `test "$1 $2 $3 $4" = "mcp add gpu-offers --"
shift 4
echo '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' | "$@" | grep -q find_gpu_offers
`;

const NPM = `test "$1" = install
shift
for name in "$@"; do
  case $name in
    --global | zod) ;;
    *) grep -qF '"name": "'"$name"'"' ${ROOT}packages/*/package.json ${ROOT}apps/*/package.json ;;
  esac
done
`;

const NPX = `script=$(echo "$*" | sed -nE 's/^-y pnpm@12 (run )?([a-z:]+)$/\\2/p')
if [ -n "$script" ]; then grep -qF '"'"$script"'": ' ${ROOT}package.json; else exec "$REAL_NPX" "$@"; fi
`;

/** The machines of the source that the page on own sources writes. */
const ACME = {
  machines: [
    {
      plan: "h100.8",
      gpu: "NVIDIA H100 SXM5",
      gpus: 8,
      usd_per_hour: "15.20",
      datacenter: "oslo-1",
      country: "Norway",
      disk_gb: 2000,
      free: 3,
    },
  ],
};

const PAGES = [
  "README.md",
  "docs/tutorial.md",
  "docs/recipes.md",
  "docs/launch.md",
  "docs/own-source.md",
  "docs/operations/accounts.md",
];

const notRun = new Set<string>();

describe.each(PAGES)("%s", (name) => {
  test("every command works and prints the documented output", { timeout: 600_000 }, async () => {
    const server = await startReplay(({ target }) =>
      target.endsWith("/v1/machines") ? json(ACME) : linodeReplay(target),
    );
    const settings = liveSettings(server, name.endsWith("own-source.md") ? ["linode", "acme"] : ["linode"]);
    const page = pageOf(name);
    const { folder, path } = readersFolder(page.files);
    const isOwn = page.files.size > 0;
    const service = await startService({ settings: isOwn ? {} : settings });
    const environment = {
      // Like in the reader's own shell: the first command installs and builds, which may need network settings.
      ...(process.env as Record<string, string>),
      ...settings,
      PATH: path,
      // Scripts of the repository are looked up, not run.
      REAL_NPX: spawnSync("which", ["npx"], { encoding: "utf8" }).stdout.trim(),
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      DATABASE_URL: databaseUrlOf(service.databasePath),
      GPU_OFFERS_URL: service.url,
      COLUMNS: "200",
    };
    let exported = "";
    expect(page.steps.length).toBeGreaterThan(0);
    for (const { commands, printed } of page.steps) {
      // A line of a crontab runs what follows its time.
      const lines = commands.replaceAll(/^0 6 \* \* \* +/gm, "").split("\n");
      const run = lines.filter((line) => NOT_RUN[line] === undefined);
      lines.filter((line) => NOT_RUN[line] !== undefined).forEach((line) => notRun.add(line));
      const script = exported + run.join("\n").replaceAll("http://127.0.0.1:3000", service.url);
      // What a reader sees in the terminal: both outputs, in order.
      const { code, stdout } = await startCommand("sh", ["-e", "-c", `exec 2>&1\n${script}`], environment, {
        cwd: folder,
      }).ended;
      expect({ commands, code, stdout: code === 0 ? "" : stdout }).toEqual({ commands, code: 0, stdout: "" });
      // A response in JSON is one line.
      const isJson = printed.startsWith("{\n");
      const seen = isJson ? JSON.stringify(JSON.parse(stdout), null, 1) : stdout;
      const documented = isJson ? JSON.stringify(JSON.parse(printed), null, 1) : printed;
      expect(`${joinSpaces(seen)}\n`).toMatch(patternOf(documented));
      exported += run.flatMap((line) => (line.startsWith("export ") ? `${line}\n` : [])).join("");
    }
  });
});

test("docs/own-source.md has disks and spot terms that are accepted, and what an invalid source prints", async () => {
  const text = readFileSync(join(ROOT, "docs/own-source.md"), "utf8");
  const { files } = pageOf("docs/own-source.md");
  const { folder, path } = readersFolder(files);
  const source = files.get("acme.mjs") ?? "";
  const [disks = ""] = /^const disks = .*?^\];$/ms.exec(text) ?? [];
  const [, spot = ""] = /`listing: \{ (spot: \{.*?\}) \}`/.exec(text) ?? [];
  writeFileSync(
    join(folder, "disks.mjs"),
    `${source.replace(/disk: \{ kind: "included".*?\}/, "disk: globalThis.disk").replace('seller: "cloud"', spot)}
import { replaySource } from "@gpu-offers/sources/kit";
import acme from "./disks.mjs";
${disks}
setTimeout(async () => {
  for (globalThis.disk of disks) {
    const { offers, listings, rejections } = await replaySource(acme, { machines: ${JSON.stringify(ACME)} });
    const { storageMinGB, storageMaxGB, storageCostPerGB } = offers[0];
    console.log(JSON.stringify([listings[0].spot.priceHourly, rejections, storageMinGB, storageMaxGB, storageCostPerGB]));
  }
});
`,
  );
  const environment = { PATH: path, HOME: folder };
  const ended = await startCommand("node", ["disks.mjs"], environment, { cwd: folder }).ended;
  const kinds = disks.match(/kind: "\w+"/g) ?? [];
  expect([ended.stderr, kinds.length]).toEqual(["", 4]);
  expect(
    ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    [8, [], 10, 4000, 0.000137],
    [8, [], 10, 4000, 0.0001],
    [8, [], 500, 500, 0],
    [8, [], 0, 0, 0],
  ]);
  const [, message = ""] = /^```text\n(SOURCES_MODULES: .*?)^```/ms.exec(text) ?? [];
  writeFileSync(join(folder, "acme.mjs"), source.replace(/hosts: \[.*\]/, "hosts: []"));
  const settings = { ...environment, SOURCES_MODULES: "acme.mjs" };
  const list = await startCommand("gpu-offers-admin", ["source", "list"], settings, { cwd: folder }).ended;
  const named = message
    .trimEnd()
    .split("\n")
    .map((line) => `gpu-offers-admin: ${line}`);
  expect(list.stderr).toContain(named.join("\n"));
  expect(list.code).not.toBe(0);
});

test("only commands of these pages are excepted", () => {
  expect([...notRun].sort()).toEqual(Object.keys(NOT_RUN).sort());
});
