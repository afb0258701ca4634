import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { listSettings } from "../src/config.ts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";

const isRoot = process.getuid?.() === 0;

const run = (args: string[], settings: Record<string, string> = {}) =>
  startProcess("main.js", args, settings, { cwd: tempFolder() }).ended;

test("--help lists every setting, and --version prints the version", async () => {
  const { code, stdout, stderr } = await run(["--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(listSettings().filter(({ name }) => !stdout.includes(name))).toEqual([]);
  expect(await run(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
  });
});

test.each([[["--port"]], [["serve"]], [["--check", "--help"]]])("%j is rejected", async (args) => {
  expect(await run(args)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^gpu-offers-server: unknown argument ".+"\. Run with --help to see the options\.\n$/,
    ) as string,
  });
});

test("--check validates the settings and the files that they name", async () => {
  expect(await run(["--check"], { PORT: "many" })).toMatchObject({ code: 2, stdout: "" });
  const file = join(tempFolder(), "sources.yaml");
  writeFileSync(file, "aws:\n  interval: 5 s\n");
  expect(await run(["--check"], { SOURCES_FILE: file })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(`${file}: there is no setting "aws"`) as string,
  });
});

const stranger = { uid: 65_534, gid: 65_534 };

// Without root, a user has no database of someone else; and another user may not be let into the folder of this checkout.
test.skipIf(!isRoot || spawnSync(process.execPath, ["--version"], stranger).status !== 0)(
  "--check rejects a database in a folder that is not writable, like the start",
  async () => {
    const folder = tempFolder();
    const path = join(folder, "catalog.sqlite");
    await storeCatalog(path, nativeRows(1));
    chmodSync(path, 0o666);
    chmodSync(folder, 0o755);
    const options = { cwd: folder, user: stranger };
    const settings = { DATABASE_URL: `sqlite:${path}`, PORT: "0" };
    for (const args of [["--check"], []]) {
      expect(await startProcess("main.js", args, settings, options).ended).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^gpu-offers-server: cannot open the database \S+catalog\.sqlite: [^\n]+\n$/,
        ) as string,
      });
    }
  },
);
