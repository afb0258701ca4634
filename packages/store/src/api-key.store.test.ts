import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import { hashApiKey, isApiKey, ApiKeyStore } from "./api-key.store.js";
import { AccountStore, type StoredAccount } from "./account.store.js";
import type { Database } from "./database.js";

const NOW = "2026-11-20T12:00:00.000Z";

describe.each(databases)("API keys in $kind", ({ kind, create }) => {
  let url: string;
  let database: Database;
  let account: StoredAccount;
  let accounts = 0;

  const newAccount = async (): Promise<StoredAccount> => {
    const made = await new AccountStore(database).create({ email: `${++accounts}@example.com`, displayName: "Ada" });
    expect(made).toBeDefined();
    return made as StoredAccount;
  };
  const newKey = (expiresAt: string | null = null) =>
    new ApiKeyStore(database).create({ account_id: account.id, label: "ci", expires_at: expiresAt });
  const ownerOf = (key: string, now = NOW) => new ApiKeyStore(database).findOwner(hashApiKey(key), now);

  beforeAll(async () => {
    url = await create();
    database = await open(url);
    account = await newAccount();
  });

  test("are shown when created, and find their account", async () => {
    const made = await newKey();
    expect(isApiKey(made.key)).toBe(true);
    expect(made).toMatchObject({ account_id: account.id, label: "ci", expires_at: null, revoked_at: null });
    expect(await ownerOf(made.key)).toEqual({ keyId: made.id, accountId: account.id, expiresAt: null });
    expect(await new ApiKeyStore(database).findOwner(made.key, NOW)).toBeUndefined();
  });

  test("are stored only as hashes", async () => {
    const { key, id } = await newKey();
    await ownerOf(key);
    await new ApiKeyStore(database).recordUse(new Map([[id, NOW]]));
    const columns = await database.selectFrom("api_key").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(Object.keys(columns).sort()).toEqual(
      ["account_id", "created_at", "expires_at", "hash", "id", "label", "last_used_at", "revoked_at"].sort(),
    );
    expect(columns.hash).toMatch(/^[0-9a-f]{64}$/);
    const everything = kind === "SQLite" ? bytesOf(url) : await textOf(database);
    expect(everything).toContain(columns.hash);
    // Neither the key nor its secret part.
    expect(everything).not.toContain(key.slice(4, 16));
  });

  test("are rejected as soon as they expire", async () => {
    const { key } = await newKey("2026-11-20T12:00:00.001Z");
    expect(await ownerOf(key, "2026-11-20T12:00:00.000Z")).toMatchObject({ expiresAt: "2026-11-20T12:00:00.001Z" });
    expect(await ownerOf(key, "2026-11-20T12:00:00.001Z")).toBeUndefined();
    expect(await ownerOf(key, "2027-01-01T00:00:00.000Z")).toBeUndefined();
  });

  test("are rejected permanently once revoked", async () => {
    const { key, id } = await newKey();
    const revoked = await new ApiKeyStore(database).revoke(id);
    expect(revoked?.revoked_at).toMatch(/^\d{4}-.*Z$/);
    expect(await ownerOf(key)).toBeUndefined();
    expect(await new ApiKeyStore(database).revoke(id)).toEqual(revoked);
    expect(await new ApiKeyStore(database).revoke("none")).toBeUndefined();
  });

  test("are rejected if their account is disabled, and no others", async () => {
    const other = await newAccount();
    const { key } = await new ApiKeyStore(database).create({ account_id: other.id, label: "", expires_at: null });
    const { key: kept } = await newKey();
    await new AccountStore(database).disable(other.id);
    expect(await ownerOf(key)).toBeUndefined();
    expect(await ownerOf(kept)).toBeDefined();
  });

  test("require an account", async () => {
    await expect(new ApiKeyStore(database).create({ account_id: "none", label: "", expires_at: null })).rejects.toThrow(
      /foreign key/i,
    );
  });

  test("record their last use, which never goes back", async () => {
    const [first, second] = [await newKey(), await newKey()];
    const lastUseOf = async (id: string) =>
      (await new ApiKeyStore(database).list(account.id)).find((key) => key.id === id)?.last_used_at;
    expect(await lastUseOf(first.id)).toBeNull();
    await new ApiKeyStore(database).recordUse(new Map([[first.id, NOW]]));
    expect(await lastUseOf(first.id)).toBe(NOW);
    await new ApiKeyStore(database).recordUse(
      new Map([
        [first.id, "2026-11-20T11:59:59.999Z"],
        [second.id, "2026-11-20T11:59:59.999Z"],
        ["none", NOW],
      ]),
    );
    expect(await lastUseOf(first.id)).toBe(NOW);
    expect(await lastUseOf(second.id)).toBe("2026-11-20T11:59:59.999Z");
    await new ApiKeyStore(database).recordUse(new Map());
  });

  test("are recorded by several instances concurrently, in any order of use", async () => {
    const ids: string[] = [];
    for (let made = 0; made < 100; made++) {
      ids.push((await newKey()).id);
    }
    // SQLite connections in the same thread would block each other forever, so one has them all.
    const others = kind === "SQLite" ? [database, database] : await Promise.all([open(url), open(url), open(url)]);
    for (let second = 0; second < 5; second++) {
      const usedAt = `2026-11-20T12:00:0${second}.000Z`;
      await Promise.all(
        [database, ...others].map((instance, index) =>
          new ApiKeyStore(instance).recordUse(
            new Map((index % 2 === 0 ? ids : ids.toReversed()).map((id) => [id, usedAt])),
          ),
        ),
      );
    }
    const used = (await new ApiKeyStore(database).list()).filter(({ id }) => ids.includes(id));
    expect(new Set(used.map(({ last_used_at }) => last_used_at))).toEqual(new Set(["2026-11-20T12:00:04.000Z"]));
  });

  test("are listed for one account or all, oldest first", async () => {
    const other = await newAccount();
    const made = await new ApiKeyStore(database).create({ account_id: other.id, label: "other", expires_at: null });
    const { key: _key, ...listed } = made;
    expect(await new ApiKeyStore(database).list(other.id)).toEqual([listed]);
    const all = await new ApiKeyStore(database).list();
    expect(all.length).toBeGreaterThan(5);
    expect(all).toContainEqual(listed);
    expect(JSON.stringify(all)).not.toMatch(/gpo_|hash/);
    const order = all.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(order).toEqual(order.toSorted());
  });
});

/** All bytes of an SQLite database's files, including its log. */
function bytesOf(url: string): string {
  const folder = dirname(url.slice("sqlite:".length));
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(1);
  return files.map((file) => readFileSync(join(folder, file), "latin1")).join("\n");
}

/** All rows of all tables of a PostgreSQL database as text. */
async function textOf(database: Database): Promise<string> {
  const tables = await database.introspection.getTables();
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t`.execute(database);
      return rows.map(({ row }) => row).join("\n");
    }),
  );
  return texts.join("\n");
}
