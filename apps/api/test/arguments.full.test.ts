import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";

const run = (args: string[], settings: Record<string, string> = {}) =>
  startProcess("main.js", args, settings, { cwd: tempFolder() }).ended;

test("--check says whether the database can be read or created, and creates nothing", async () => {
  const folder = tempFolder();
  const check = (file: string) => run(["--check"], { DATABASE_URL: `sqlite:${join(folder, file)}` });
  expect(await check("new/none.sqlite")).toMatchObject({
    code: 0,
    stderr: "",
    stdout: `gpu-offers-server: the settings are valid, and the database sqlite:${folder}/new/none.sqlite will be created when the service starts.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);

  writeFileSync(join(folder, "text.sqlite"), "no database".repeat(100));
  expect(await check("text.sqlite")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^gpu-offers-server: cannot open the database \S+text\.sqlite: [^\n]+\n$/) as string,
  });
  expect(await check("text.sqlite/none.sqlite")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^gpu-offers-server: cannot create the database \S+none\.sqlite: [^\n]+\n$/,
    ) as string,
  });
});

test("--check compares the version of the database with its own, like the start", async () => {
  const path = join(tempFolder(), "catalog.sqlite");
  const settings = { DATABASE_URL: `sqlite:${path}`, PORT: "0" };
  await storeCatalog(path, nativeRows(1));
  const write = (statement: string) => {
    const database = new SqliteDatabase(path);
    database.exec(statement);
    database.close();
  };
  write("delete from kysely_migration where name = (select max(name) from kysely_migration)");
  expect(await run(["--check"], settings)).toMatchObject({
    code: 0,
    stdout: `gpu-offers-server: the settings are valid, and the tables of the database sqlite:${path} will be upgraded when the service starts.\n`,
  });
  write("insert into kysely_migration (name, timestamp) values ('900-future', '2030-01-01T00:00:00.000Z')");
  for (const args of [["--check"], []]) {
    expect(await run(args, settings)).toMatchObject({
      code: 1,
      stderr: `gpu-offers-server: cannot open the database ${path}: it was created by a newer version of gpu-offers (migration 900-future). Use that version or a later one.\n`,
    });
  }
});
