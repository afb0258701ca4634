import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { listSettings } from "../src/config.js";

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
      /^gpu-offers: unknown argument ".+"\. Run with --help to see the options\.\n$/,
    ) as string,
  });
});

test("--check validates the settings and the database, and creates nothing", async () => {
  expect(await run(["--check"], { PORT: "many" })).toMatchObject({ code: 2, stdout: "" });
  const missing = await run(["--check"], { DATABASE_URL: `sqlite:${join(tempFolder(), "none.sqlite")}` });
  expect(missing).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^gpu-offers: cannot open the database \S+none\.sqlite: [^\n]+\n$/) as string,
  });
});
