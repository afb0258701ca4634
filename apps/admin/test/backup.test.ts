import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { findLastBackup } from "@gpu-offers/store/operation-facts";
import { addCredit, makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { withDatabase } from "@gpu-offers/store/test/databases";
import { listOutdated } from "../src/backup.ts";
import { admin, adminDone, runInProcess } from "./in-process.ts";

async function filledDatabase(): Promise<string> {
  const path = tempDatabase();
  await storeCatalog(path, nativeRows(50));
  const { id } = await makeAccount(path);
  await addCredit(path, id, "5", "r-1");
  return path;
}

const backup = (path: string, folder: string, elsewhere = "") =>
  runInProcess(["backup", "--to", folder, "--json"], {
    DATABASE_URL: databaseUrlOf(path),
    BACKUP_ELSEWHERE: elsewhere,
  });

test("a backup is compressed, private, recorded, and restored from its file", async () => {
  const path = await filledDatabase();
  const folder = join(tempFolder(), "backups");
  const { code, stdout, stderr } = await backup(path, folder);
  expect([code, stderr]).toEqual([0, ""]);
  const {
    file,
    bytes,
    database_bytes: whole,
  } = JSON.parse(stdout) as Record<"file" | "bytes" | "database_bytes", never>;
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([file]);
  expect([(statSync(file).mode & 0o777).toString(8), statSync(file).size]).toEqual(["600", bytes]);
  expect(bytes).toBeLessThan(whole / 2);
  expect(await withDatabase(path, findLastBackup)).toMatchObject({ place: file, bytes, database_bytes: whole });
  expect((await admin(file, "verify")).stdout).toContain("ok      ledger entries  1 checked");
  const restored = tempDatabase();
  await adminDone(path, "database", "copy", "--from", databaseUrlOf(file), "--to", databaseUrlOf(restored));
  expect((await admin(restored, "catalog", "export")).stdout).toBe((await admin(path, "catalog", "export")).stdout);
  rmSync(file);
  expect(await withDatabase(path, findLastBackup)).toBeUndefined();
  // Elsewhere, its folder can't be seen.
  rmSync(folder, { recursive: true });
  expect(await withDatabase(path, findLastBackup)).toMatchObject({ place: file });
});

test("BACKUP_ELSEWHERE copies each backup to a folder, or gives it to a command", async () => {
  const path = await filledDatabase();
  const [folder, other, seen] = [tempFolder(), tempFolder(), join(tempFolder(), "seen")];
  await backup(path, folder, other);
  const [name = ""] = readdirSync(folder);
  expect(readFileSync(join(other, name))).toEqual(readFileSync(join(folder, name)));
  const { code } = await backup(path, folder, `basename "$1" > '${seen}'`);
  expect([code, readdirSync(folder)]).toEqual([0, expect.arrayContaining([readFileSync(seen, "utf8").trim()])]);
});

test("a backup that is not elsewhere, or whose file is damaged, fails and isn't recorded", async () => {
  const path = await filledDatabase();
  const folder = tempFolder();
  for (const elsewhere of [join(folder, "not-mounted"), 'test -s "$1" && exit 7']) {
    const { code, stderr } = await backup(path, folder, elsewhere);
    expect([code, stderr]).toEqual([1, expect.stringContaining("could not be put elsewhere (BACKUP_ELSEWHERE)")]);
  }
  expect(await withDatabase(path, findLastBackup)).toBeUndefined();
  const [name = ""] = readdirSync(folder);
  const whole = readFileSync(join(folder, name));
  mkdirSync(join(folder, "cut"));
  writeFileSync(join(folder, "cut", name), whole.subarray(0, -100));
  const { code, stderr } = await admin(join(folder, "cut", name), "verify");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot decompress .*: unexpected end of file\./)]);
});

test("a compressed file without a database is named as it was given", async () => {
  const empty = join(tempFolder(), "empty.sqlite.gz");
  writeFileSync(empty, gzipSync(""));
  const { code, stderr } = await admin(empty, "database", "copy", "--from", `sqlite:${empty}`, "--to", "sqlite:copy");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`no gpu-offers database at sqlite:${empty}. Check --from.`),
  ]);
});

test("a folder keeps the newest backup of each of 7 days and 4 weeks, and every other file", () => {
  const others = ["notes.txt", "unfinished-1", "2026-11-26T000000Z.sqlite.gz.part"];
  let names = [...others];
  for (let day = 0; day < 90; day++) {
    for (const hour of ["03", "15"]) {
      const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
      names.push(`${date}T${hour}1700Z.sqlite.gz`);
      const outdated = listOutdated(names);
      names = names.filter((name) => !outdated.includes(name));
    }
  }
  // Of this week and the three before, then of the last days.
  expect(names.slice(others.length).map((name) => name.slice(5, 13))).toEqual(
    ["15", "22", "25", "26", "27", "28", "29", "30", "31"].map((day) => `03-${day}T15`),
  );
  expect(names.slice(0, others.length)).toEqual(others);
});
