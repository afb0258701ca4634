import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import * as inProcess from "./in-process.ts";
import { leafCommands } from "./leaf-commands.ts";

const { version } = JSON.parse(readFileSync(new URL("../../api/package.json", import.meta.url), "utf8")) as {
  version: string;
};

// Its processes prove how a request for help ends one.
test("the help of the program lists the exit codes, and --version prints the package version", async () => {
  const database = tempDatabase();
  const { code, stdout } = await admin(database, "--help");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Exit codes:\n {2}0 {2}success\n {2}1 {2}failed; no changes \(source enable and source sync may have made some\)\n {2}2 {2}invalid usage/m,
  );
  expect(await admin(database, "--version")).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  expect(existsSync(database)).toBe(false);
});

test("the help of each command has an example, with --json if it prints a result", async () => {
  const leaves = await leafCommands();
  // A minimum, so that no command is skipped by mistake.
  expect(leaves).toHaveLength(32);
  for (const { name, command } of leaves) {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help).toMatch(new RegExp(`\nExamples?:\n(?:  .*\n)*?  .* ${name}\\b`));
    // These print a catalog in its own format, or a script.
    expect([name, help.includes("--json")]).toEqual([name, !/^(?:catalog (?:export|history)|completion)$/.test(name)]);
    expect(help).not.toMatch(/\(default:\s+(?:""|\{)/);
  }
});

test.concurrent.for([
  [["--help"], /\n  gpu-offers-admin account create /],
  [["catalog", "--help"], /^Usage: gpu-offers-admin catalog /],
  [["catalog", "import", "--help"], /\nExamples:\n(?:  .*\n)*?  gpu-offers-admin catalog import /],
  [["help"], /\n  gpu-offers-admin account create /],
] as const)("%s prints help and succeeds", async ([args, text]) => {
  const database = tempDatabase();
  const ended = await inProcess.admin(database, ...args);
  expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^Usage: gpu-offers-admin/) });
  expect(ended.stdout).toMatch(text);
  expect(existsSync(database)).toBe(false);
});
