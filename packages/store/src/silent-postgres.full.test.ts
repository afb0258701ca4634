import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { createPostgresDatabase, startPostgres, type PostgresServer } from "@gpu-offers/testkit/postgres-server";
import { startTcpProxy, type TcpProxy } from "@gpu-offers/testkit/tcp-proxy";
import { openDatabase, type Database } from "./database.js";
import { isUnreachable } from "./database-error.js";

// PostgreSQL behind a network that drops all packets in the middle of a query, which closes nothing and reports no error,
// and a PostgreSQL that only reads.

const SILENCE_MS = 400;

let server: PostgresServer;
let url: string;
let proxy: TcpProxy;

beforeAll(async () => {
  server = await startPostgres();
  url = await createPostgresDatabase(server.url);
  await (await openDatabase(url)).destroy();
  proxy = await startTcpProxy(server.port);
});

afterAll(async () => {
  await proxy.close();
  await server.remove();
});

function behindProxy(silenceMs?: number): Promise<Database> {
  const relayed = new URL(url);
  relayed.port = String(proxy.port);
  return openDatabase(relayed.href, silenceMs === undefined ? {} : { silenceMs });
}

test("a query that gets no response ends with an error, and the next one has a new connection", async () => {
  const database = await behindProxy(SILENCE_MS);
  const pending = sql`select pg_sleep(0.2)`.execute(database);
  const outcome = pending.catch((reason: unknown) => reason);
  setTimeout(() => proxy.swallow(), 50);
  const error = await outcome;
  expect([isUnreachable(error), String(error)]).toEqual([true, expect.stringContaining("no response for 0.4 s")]);
  proxy.restore();
  expect((await sql`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
  await database.destroy();
});

test("a transaction may wait for its caller", async () => {
  const database = await behindProxy(SILENCE_MS);
  const rows = await database.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction);
    await new Promise((resolve) => setTimeout(resolve, 3 * SILENCE_MS));
    return (await sql`select 2 as two`.execute(transaction)).rows;
  });
  expect(rows).toEqual([{ two: 2 }]);
  await database.destroy();
});

test("connections have the name of the program, and a limit by default", async () => {
  const database = await behindProxy();
  const { rows } = await sql`select application_name from pg_stat_activity where pid = pg_backend_pid()`.execute(
    database,
  );
  expect(rows).toEqual([{ application_name: "gpu-offers" }]);
  await database.destroy();
});

test("commands say that a database only reads, without a stack", async () => {
  const database = await openDatabase(url);
  const name = new URL(url).pathname.slice(1);
  await sql`alter database ${sql.ref(name)} set default_transaction_read_only = on`.execute(database);
  await database.destroy();
  for (const args of [
    ["account", "create", "--email", "ada@example.com", "--name", "Ada"],
    ["source", "enable", "linode"],
  ]) {
    const { code, stderr } = await admin(url, ...args);
    expect([args[0], code, stderr]).toEqual([
      args[0],
      1,
      expect.stringMatching(
        /^gpu-offers-admin: the database cannot be written to: cannot execute \w+ in a read-only transaction\./,
      ),
    ]);
    expect(stderr).not.toMatch(/\n\s+at |triggerUncaught/);
  }
});
