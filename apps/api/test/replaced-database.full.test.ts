import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
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

test("an overwritten file is an error, also if it is a database; checkpoints of other processes are not", async () => {
  const [path, other] = [tempDatabase(), tempDatabase()];
  await storeCatalog(path, nativeRows(2));
  await storeCatalog(other, nativeRows(3));
  const service = await startService({ databasePath: path, settings: { LIVE_SYNC: "off" } });
  const isUp = async () => [
    (await fetchFrom(service, "/health/ready")).status,
    /^gpu_offers_database_up (\d)$/m.exec((await fetchFrom(service, "/metrics")).text)?.[1],
  ];
  for (let round = 0; round < 8; round++) {
    await storeCatalog(path, nativeRows(1_000, { region: `r-${round}` }));
    const file = new SqliteDatabase(path);
    file.pragma(`wal_checkpoint(${["PASSIVE", "FULL", "RESTART", "TRUNCATE"][round % 4]})`);
    file.close();
    await setTimeout(600);
    expect(await isUp()).toEqual([200, "1"]);
  }
  // Until the service has looked at the last checkpoint.
  await setTimeout(2_500);
  writeFileSync(path, readFileSync(other));
  await expect.poll(isUp, { timeout: 15_000 }).toEqual([503, "0"]);
  const { msg } = await service.logLine((line) => String(line["msg"]).startsWith("not ready"));
  expect(msg).toBe(
    `not ready: the file ${path} was overwritten while it was open. Stop the services, and restore a backup`,
  );
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
