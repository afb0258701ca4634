import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { DatabaseError, describeUnreachable, isUnreachable } from "./database-error.js";
import { openDatabase } from "./database.js";

/** The error when a database cannot be opened. */
async function rejectionOf(url: string): Promise<string> {
  const error: unknown = await openDatabase(url).then(
    (database) => database.destroy(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DatabaseError);
  return (error as DatabaseError).message;
}

describe.each(databases)("$kind", ({ create }) => {
  test("gets its tables once if many processes open it at the same time", async () => {
    const url = await create();
    const ended = await Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        admin(url, "account", "create", "--email", `${number}@example.com`, "--name", "Ada", "--json"),
      ),
    );
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: "" })));
    const database = await open(url);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database);
    expect(rows.map(({ name }) => name)).toEqual([
      "001-catalog",
      "002-accounts",
      "003-running-balance",
      "004-live-sources",
      "005-history",
      "006-changes-of-revision",
      "010-prices",
      "011-listings",
      "013-operation",
      "020-observations",
      "021-sample",
      "022-last-seen",
      "023-stock",
      "024-gone-offers",
      "025-market-steps",
      "026-price-steps",
    ]);
  });

  test("is rejected if it has a newer version", async () => {
    const url = await create();
    const database = await open(url);
    await sql`insert into kysely_migration (name, timestamp) values ('900-future', '2030-01-01T00:00:00.000Z')`.execute(
      database,
    );
    expect(await rejectionOf(url)).toMatch(
      /^cannot open the database \S+: it was created by a newer version of gpu-offers \(migration 900-future\)\. Use that version or a later one\.$/,
    );
    expect(await admin(url, "account", "list")).toMatchObject({ code: 1, stdout: "" });
  });

  test("sorts texts by code point", async () => {
    const database = await open(await create());
    const names = ["a-b", "a_b", "aB", "ab", "a1", "B", "b", "é", "😀"];
    for (const name of names) {
      await database.insertInto("provider").values({ name, type: "vm", as_of: null }).execute();
    }
    const rows = await database.selectFrom("provider").select("name").orderBy("name").execute();
    expect(rows.map(({ name }) => name)).toEqual(
      names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
  });
});

test("a PostgreSQL that is opened for serving gets no tables", async () => {
  const database = await open(await createPostgresDatabase(inject("postgresUrl")), { isServing: true });
  expect(await database.introspection.getTables({ withInternalKyselyTables: true })).toEqual([]);
});

describe("a database that cannot be opened is reported in one line, without its password", () => {
  test("an SQLite path that is a folder, a device, not a database, below a file, or missing for serving", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "folder"));
    writeFileSync(join(folder, "text"), "not a database, and longer than the header of one\n".repeat(100));
    expect(await rejectionOf(`sqlite:${join(folder, "folder")}`)).toBe(
      `cannot open the database ${join(folder, "folder")}: it is a directory. Name a file in it.`,
    );
    expect(await rejectionOf("sqlite:/dev/null")).toBe("cannot open the database /dev/null: it is not a regular file.");
    expect(await rejectionOf(`sqlite:${join(folder, "text")}`)).toBe(
      `cannot open the database ${join(folder, "text")}: file is not a database`,
    );
    expect(await rejectionOf(`sqlite:${join(folder, "text", "below")}`)).toMatch(/ENOTDIR|EEXIST/);
    await expect(openDatabase(`sqlite:${join(folder, "none")}`, { isServing: true })).rejects.toThrow(
      "unable to open database file",
    );
  });

  test.each([
    [
      "a server that does not listen",
      "postgres://ada:s3cret@127.0.0.1:1/offers",
      /127\.0\.0\.1:1\/offers: .*ECONNREFUSED/,
    ],
    [
      "a host that does not exist",
      "postgres://ada:s3cret@host.invalid/offers",
      /host\.invalid\/offers: .*(ENOTFOUND|EAI_AGAIN)/,
    ],
    ["a password in the query", "postgres://127.0.0.1:1/offers?user=ada&password=s3cret", /127\.0\.0\.1:1\/offers: /],
    [
      "a password with odd characters",
      "postgres://ada:s3cret%40%2F:@127.0.0.1:1/offers",
      /ada@127\.0\.0\.1:1\/offers: /,
    ],
    [
      "a password that cannot be decoded",
      "postgres://ada:s3cret%zz@127.0.0.1:1/offers",
      /ada@127\.0\.0\.1:1\/offers: /,
    ],
  ])("%s", async (_name, url, told) => {
    const message = await rejectionOf(url);
    expect(message).toMatch(told);
    expect(message).not.toMatch(/s3cret|\n/);
  });

  test("a database or a user that PostgreSQL does not have", async () => {
    const url = new URL(inject("postgresUrl"));
    url.password = "s3cret";
    url.pathname = "no_such_database";
    expect(await rejectionOf(url.href)).toBe(
      `cannot open the database postgres://postgres@${url.host}/no_such_database: database "no_such_database" does not exist`,
    );
    url.username = "nobody_here";
    expect(await rejectionOf(url.href)).toMatch(/role "nobody_here" does not exist$/);
  });
});

describe("an error", () => {
  const withCode = (code: string): Error => Object.assign(new Error("x"), { code });

  test.each([
    "ECONNREFUSED",
    "ECONNRESET",
    "ENETUNREACH",
    "08006",
    "28P01",
    "3D000",
    "53300",
    "57P01",
    "57P03",
    "57014",
    "55P03",
    "25P03",
    "25006",
    "55000",
    "42501",
    "XX000",
    "SQLITE_BUSY",
    "SQLITE_BUSY_SNAPSHOT",
    "SQLITE_IOERR_READ",
  ])("with code %s means that the database is unreachable", (code) => {
    expect(isUnreachable(withCode(code))).toBe(true);
  });

  test.each([
    "",
    "23505",
    "42P01",
    "42601",
    "22P02",
    "EPERM",
    "SQLITE_ERROR",
    "SQLITE_CONSTRAINT_TRIGGER",
    "FST_ERR_VALIDATION",
    "x57P01",
  ])("with code %j does not", (code) => {
    expect(isUnreachable(withCode(code))).toBe(false);
  });

  test.each([
    ["57014", "the database did not finish in time (x). Another process may hold a lock: see pg_stat_activity."],
    ["SQLITE_FULL", "the database cannot be written to: x"],
    ["53100", "the database cannot be written to: x"],
    [
      "25006",
      "the database cannot be written to: x. It is a standby, or was demoted to one: use the primary's address.",
    ],
    ["ECONNRESET", "the database does not respond: x"],
  ])("with code %s says what is wrong", (code, sentence) => {
    expect(describeUnreachable(withCode(code))).toBe(sentence);
  });

  test.each([
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "timeout exceeded when trying to connect",
    "Client has encountered a connection error and is not queryable",
  ])("with the message %j does too", (message) => {
    expect(isUnreachable(new Error(message))).toBe(true);
  });

  test.each([undefined, null, "ECONNREFUSED", { code: "ECONNREFUSED" }, new Error("no offers")])(
    "such as %j does not",
    (thrown) => {
      expect(isUnreachable(thrown)).toBe(false);
    },
  );
});
