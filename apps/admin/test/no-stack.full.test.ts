import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { admin, startAdmin } from "@gpu-offers/testkit/admin";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { openDatabase } from "@gpu-offers/store/database";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";

// Failures that no command expects end in one line, never in a stack.

const STACK = /\n\s+at |triggerUncaught|node:internal/;

test.for(["throw", "Promise.reject"])("an error outside of the command, by %s", async (how) => {
  const module = join(tempFolder(), "fails.mjs");
  writeFileSync(module, `process.once("beforeExit", () => { ${how} (new Error("outside of the command")); });`);
  const { code, stderr } = await startAdmin(tempDatabase(), ["--version"], {
    settings: { NODE_OPTIONS: `--import ${module}` },
  }).ended;
  expect([code, stderr]).toEqual([
    1,
    "gpu-offers-admin: unexpected error: outside of the command. Please report it, with the command.\n",
  ]);
});

test("verify of a database whose write-ahead log was removed", async () => {
  const path = tempDatabase();
  await storeCatalog(path, nativeRows(500));
  // Without a checkpoint, what was written is in the log alone.
  const holder = await openDatabase(`sqlite:${path}`);
  await makeAccount(path);
  rmSync(`${path}-wal`);
  const { code, stdout, stderr } = await admin(path, "verify");
  await holder.destroy();
  expect([0, 1]).toContain(code);
  expect(stderr).not.toMatch(STACK);
  expect(stdout + stderr).not.toContain("savepoint");
});

test("an import from a pipe that nothing is written to ends after 30 seconds", { timeout: 90_000 }, async () => {
  const pipe = join(tempFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const { code, stderr } = await admin(tempDatabase(), "catalog", "import", pipe, "--format", "native");
  expect([code, stderr]).toEqual([
    1,
    `gpu-offers-admin: cannot read ${pipe}: nothing was written to it within 30 s. Nothing was changed.\n`,
  ]);
});

test("an import reads a pipe whose writer comes later", async () => {
  const folder = tempFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const importing = admin(tempDatabase(), "catalog", "import", pipe, "--format", "native", "--dry-run");
  setTimeout(() => execFileSync("/bin/sh", ["-c", `echo '{}' > "${pipe}"`]), 1_000);
  const { code, stderr } = await importing;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^gpu-offers-admin: .*gpu-offers/)]);
});
