import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { withKey } from "@gpu-offers/testkit/accounts";
import { admin } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { createPostgresDatabase, startPostgres } from "@gpu-offers/testkit/postgres-server";
import { startService } from "@gpu-offers/testkit/service";
import { openDatabase } from "@gpu-offers/store/database";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";

// PostgreSQL restarts as a standby, which only reads, and is promoted again, under a service that has it open.

test(
  "a demoted PostgreSQL serves reads, and commands say that it can't be written to",
  { timeout: 120_000 },
  async () => {
    const server = await startPostgres();
    const url = await createPostgresDatabase(server.url);
    await storeCatalog(url, nativeRows(3));
    const { id, key } = await makeAccount(url);
    const service = await startService({ databasePath: url });
    const statuses = async () => {
      const paths = ["/api/v1/offers", "/api/v1/account/balance", "/health/ready"];
      return Promise.all(paths.map(async (path) => (await fetchFrom(service, path, withKey(key))).status));
    };
    const addCredit = (reference: string) =>
      admin(url, "credit", "add", "--account", id, "--amount", "5", "--reference", reference);
    expect(await statuses()).toEqual([200, 200, 200]);

    await server.stop();
    const mark = join(server.data, "standby.signal");
    writeFileSync(mark, "");
    chmodSync(mark, 0o666);
    await server.start();
    await expect.poll(statuses, { timeout: 15_000 }).toEqual([200, 200, 200]);
    const { code, stderr } = await addCredit("demoted");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^gpu-offers-admin: the database cannot be written to: .*\n$/),
    ]);

    const database = await openDatabase(url, { isReader: true });
    await sql`select pg_promote()`.execute(database);
    await database.destroy();
    expect((await addCredit("promoted")).code).toBe(0);
    await expect
      .poll(async () => (await fetchFrom(service, "/api/v1/account/balance", withKey(key))).text, { timeout: 15_000 })
      .toContain("5.0000");
    await server.remove();
  },
);
