import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { createPostgresDatabase, startPostgres, type PostgresServer } from "@gpu-offers/testkit/postgres-server";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { startService } from "@gpu-offers/testkit/service";
import { openDatabase } from "@gpu-offers/store/database";

const PAGE_BYTES = 8_192;

describe.each([15, 18] as const)("on PostgreSQL %i", (version) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ version });
  });
  afterAll(() => server.remove());

  async function createFilled(): Promise<string> {
    const database = await createPostgresDatabase(server.url);
    await adminDone(database, "catalog", "import", nativeFile(nativeRows(300)), "--format", "native");
    await makeAccount(database);
    return database;
  }

  /** Overwrites the header of a table's last page, like a failing disk. */
  async function damage(database: string, table: string): Promise<void> {
    const store = await openDatabase(database);
    const { rows } = await sql<{ path: string; bytes: string }>`
      select pg_relation_filepath(${table}) as path, pg_relation_size(${table}) as bytes`.execute(store);
    await store.destroy();
    await server.stop();
    const file = openSync(join(server.data, rows[0]?.path ?? ""), "r+");
    writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, Number(rows[0]?.bytes) - PAGE_BYTES);
    closeSync(file);
    await server.start();
  }

  test("verify finds no problem in an intact database, and a service serves it", async () => {
    const database = await createFilled();
    expect(await admin(database, "verify")).toMatchObject({ code: 0, stderr: "" });
    const service = await startService({ databasePath: database });
    await service.stop();
  });

  test("verify reports the table with the damaged page, and runs the other checks", async () => {
    const database = await createFilled();
    await damage(database, "offer");
    const { code, stdout, stderr } = await admin(database, "verify");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gpu-offers-admin: \d problems? in offers\.\n$/);
    expect(stdout).toMatch(
      /^FAILED {2}offers .*\n {10}table offer cannot be read: invalid page in block \d+ of relation/m,
    );
    expect(stdout.match(/^ok /gm)).toHaveLength(7);
  });

  test("a service on a damaged catalog exits with 1 and one line", async () => {
    const database = await createFilled();
    await damage(database, "offer");
    const { code, stderr } = await startProcess("main.js", [], { PORT: "0", DATABASE_URL: database }).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^gpu-offers-server: cannot read the database: invalid page in block \d+ of relation [^\n]+\n$/,
      ),
    ]);
  });
});
