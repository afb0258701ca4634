import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { adminDone } from "./in-process.ts";

test("a service on an SQLite file with damaged pages exits with 1, and explains why in one line", async () => {
  const path = tempDatabase();
  await adminDone(path, "catalog", "import", nativeFile(nativeRows(2_000)), "--format", "native");
  // The first pages, which contain the schema, stay intact: the file opens.
  const bytes = readFileSync(path);
  for (let position = 200_000; position < bytes.length; position += 4_096) {
    bytes.fill(0xa5, position, position + 100);
  }
  writeFileSync(path, bytes);
  const settings = { PORT: "0", DATABASE_URL: databaseUrlOf(path) };
  const { code, stderr } = await startProcess("main.js", [], settings).ended;
  expect([code, stderr]).toEqual([
    1,
    "gpu-offers-server: cannot read the database: database disk image is malformed\n",
  ]);
});
