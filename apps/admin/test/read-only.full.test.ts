import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adminDone } from "@gpu-offers/testkit/admin";
import { builtProgram } from "@gpu-offers/testkit/running-process";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";

// Permissions don't bind the superuser, who becomes another user here.
const uid = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const canRun =
  spawnSync(process.execPath, [builtProgram("apps/api/dist/admin/main.js"), "--version"], uid).status === 0;

test.skipIf(!canRun)(
  `commands that only read work on a database that can't be written${canRun ? "" : " (SKIPPED: no user for it)"}`,
  async () => {
    const database = tempDatabase();
    await adminDone(database, "catalog", "import", nativeFile(nativeRows(3)));
    await adminDone(database, "account", "create", "--email", "ada@example.com", "--name", "Ada");
    const folder = join(tempFolder(), "backup");
    mkdirSync(folder);
    const copy = join(folder, "catalog.sqlite");
    copyFileSync(database, copy);
    chmodSync(join(folder, ".."), 0o755);
    chmodSync(copy, 0o444);
    chmodSync(folder, 0o555);
    for (const args of [
      ["catalog", "status"],
      ["catalog", "history"],
      ["catalog", "export"],
      ["source", "list"],
      ["source", "status"],
      ["account", "list"],
      ["account", "show", "ada@example.com"],
      ["key", "list"],
    ]) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [builtProgram("apps/api/dist/admin/main.js"), ...args],
        { ...uid, encoding: "utf8", env: { ...process.env, DATABASE_URL: `sqlite:${copy}` } },
      );
      expect([args, status, stdout === "" ? stderr : ""]).toEqual([args, 0, ""]);
    }
    chmodSync(folder, 0o755);
  },
);
