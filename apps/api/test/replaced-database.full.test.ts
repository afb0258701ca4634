import { copyFileSync, renameSync, rmSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { withKey } from "@gpu-offers/testkit/accounts";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";

// The SQLite file is deleted or replaced while a service has it open. The open file still works, but nothing else sees it.

test.for(["deleted", "replaced"])("a %s file is an error: not ready, no accounts, until it is back", async (how) => {
  const path = tempDatabase();
  await storeCatalog(path, nativeRows(2));
  const { key } = await makeAccount(path);
  const service = await startService({ databasePath: path, settings: { LIVE_SYNC: "off" } });
  const statuses = async () => {
    const paths = ["/health/ready", "/api/v1/account/balance", "/api/v1/account", "/api/v1/offers"];
    return Promise.all(paths.map(async (one) => (await fetchFrom(service, one, withKey(key))).status));
  };
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  renameSync(path, `${path}.away`);
  if (how === "replaced") {
    copyFileSync(`${path}.away`, path);
  }
  await expect.poll(statuses, { timeout: 15_000 }).toEqual([503, 503, 503, 200]);
  expect(jsonOf(await fetchFrom(service, "/health/ready"))).toMatchObject({
    message: "The database's file was deleted or replaced; see the log.",
  });
  const { level, msg } = await service.logLine((line) => String(line["msg"]).startsWith("not ready"));
  expect([level, msg]).toEqual([
    "error",
    `not ready: the file ${path} was deleted or replaced while it was open. Restore it, or restart the service`,
  ]);
  rmSync(path, { force: true });
  renameSync(`${path}.away`, path);
  await expect.poll(statuses, { timeout: 15_000 }).toEqual([200, 200, 200, 200]);
});

test("a new file can only be read by its owner", async () => {
  const path = tempDatabase();
  await storeCatalog(path, nativeRows(1));
  const modes = ["", "-wal", "-shm"].flatMap((suffix) => {
    const found = statSync(`${path}${suffix}`, { throwIfNoEntry: false });
    return found === undefined ? [] : [(found.mode & 0o777).toString(8)];
  });
  expect(new Set(modes)).toEqual(new Set(["600"]));
});
