import { describe, expect, inject, test } from "vitest";
import { withKey } from "@gpu-offers/testkit/accounts";
import { admin, startAdmin } from "@gpu-offers/testkit/admin";
import { databases } from "@gpu-offers/testkit/databases";
import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { existsSync } from "node:fs";
import { sql } from "kysely";
import { AccountStore } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { countByProvider, findRevision, listRevisions } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { addCredit, disable, makeAccount, makeKey, revokeKey } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { open, withDatabase } from "@gpu-offers/store/test/databases";

interface Proof {
  tables: { table: string; rows: number; sha256: string; last_number?: number }[];
  accounts: number;
  balance: string;
}

const directions = databases.flatMap((from) => databases.map((to) => ({ from, to })));

const copy = (from: string, to: string, ...options: string[]) =>
  admin(tempDatabase(), "database", "copy", "--from", from, "--to", to, ...options);

describe.each(directions)("database copy from $from.kind to $to.kind", ({ from, to }) => {
  test("moves a complete installation, and verifies it", { timeout: 60_000 }, async () => {
    const source = (await from?.create()) ?? "";
    const images = [nativeImage("ubuntu", { isDefault: true }), nativeImage("debian", { displayName: "Débian 😀" })];
    for (const rows of [
      nativeRows(1_300),
      nativeRows(1_200),
      nativeRows(5, { provider: "a-b" }),
      nativeRows(5, { provider: "ab" }),
    ]) {
      await storeCatalog(source, rows, images);
    }
    const ada = await makeAccount(source, "Ünï 'quoted' 😀");
    const bob = await makeAccount(source);
    const { keyId } = await makeKey(source, bob.id, { label: "old", expiresAt: "2099-01-01T23:59:59.999Z" });
    await revokeKey(source, keyId);
    await disable(source, bob.id);
    await addCredit(source, ada.id, "922337203685477.5807", "all", "ünï 😀");
    await addCredit(source, ada.id, "-0.0001", "least");
    await addCredit(source, bob.id, "900719925474.0993", "odd");

    const target = (await to?.create()) ?? "";
    const { code, stdout, stderr } = await copy(source, target, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    const proof = JSON.parse(stdout) as Proof;
    expect(proof.tables.map(({ table, rows, last_number }) => [table, rows, last_number])).toEqual([
      ["catalog_revision", 4, 4],
      ["provider", 3, undefined],
      ["os_image", 6, undefined],
      ["offer", 1_210, undefined],
      ["gone_offer", 0, undefined],
      ["live_source", 0, undefined],
      ["live_quarantine", 0, undefined],
      ["live_response", 0, undefined],
      ["source_run", 0, undefined],
      ["backup", 0, undefined],
      ["offer_base_mark", 0, undefined],
      ["offer_base", 0, undefined],
      ["offer_change", 1_410, 1_410],
      ["observation", 4, 4],
      ["market_point", 2, undefined],
      ["price_step", 11, undefined],
      ["offer_stock", 0, undefined],
      ["gpu_stock", 0, undefined],
      ["account", 2, undefined],
      ["api_key", 3, undefined],
      ["ledger_entry", 3, 3],
    ]);
    expect(proof.tables.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256))).toBe(true);
    expect(proof).toMatchObject({ accounts: 2, balance: "923237923610951.6799" });

    // Operators and callers see the same as before.
    const stateOf = async (opened: Database) => ({
      accounts: await new AccountStore(opened).list(),
      keys: await new ApiKeyStore(opened).list(),
      entries: await new CreditStore(opened).list(ada.id),
      providers: await countByProvider(opened),
      current: await findRevision(opened),
      revisions: await listRevisions(opened, 5),
    });
    expect(await withDatabase(target, stateOf)).toEqual(await withDatabase(source, stateOf));
    const [exported, original] = await Promise.all([
      admin(target, "catalog", "export"),
      admin(source, "catalog", "export"),
    ]);
    expect(exported.stdout).toBe(original.stdout);
    expect((await admin(target, "verify")).code).toBe(0);
    const [before, after] = [
      await startService({ databasePath: source }),
      await startService({ databasePath: target }),
    ];
    for (const path of ["/api/v1/account", "/api/v1/account/balance"]) {
      expect(jsonOf(await fetchFrom(after, path, withKey(ada.key)))).toEqual(
        jsonOf(await fetchFrom(before, path, withKey(ada.key))),
      );
      expect((await fetchFrom(after, path, withKey(bob.key))).status).toBe(401);
    }
    const [one, other] = [
      await fetchFrom(before, "/api/v1/offers?size=100"),
      await fetchFrom(after, "/api/v1/offers?size=100"),
    ];
    expect([one.text, one.headers.etag]).toEqual([other.text, other.headers.etag]);

    // New rows get higher ids than old ones, and the same reference is still the same entry.
    await storeCatalog(target, nativeRows(1, { provider: "new" }));
    const least = { reference: "least", amountE4: -1n, note: "" };
    await withDatabase(target, async (opened) => {
      expect(await findRevision(opened)).toMatchObject({ revision: 5 });
      expect(await new CreditStore(opened).add(ada.id, least)).toMatchObject({ outcome: "repeated" });
    });
  });
});

describe.each(databases)("database copy to $kind", ({ create }) => {
  test("continues after the last number in use, even if its row is gone", async () => {
    const source = `sqlite:${tempDatabase()}`;
    const store = await open(source);
    await storeCatalog(source, nativeRows(1));
    await sql`insert into catalog_revision select 41, mark, created_at, cause, 0, 0, 0, 0 from catalog_revision`.execute(
      store,
    );
    await sql`delete from catalog_revision where revision = 41`.execute(store);
    const target = await create();
    expect((await copy(source, target)).code).toBe(0);
    await storeCatalog(target, nativeRows(2));
    expect(await withDatabase(target, findRevision)).toMatchObject({ revision: 42 });
  });

  test("rejects a target that is not empty, and leaves it unchanged", async () => {
    const source = tempDatabase();
    await storeCatalog(source, nativeRows(3));
    const target = await create();
    await makeAccount(target);
    const before = await withDatabase(target, (database) => new AccountStore(database).list());
    const { code, stdout, stderr } = await copy(`sqlite:${source}`, target);
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      "gpu-offers-admin: the target is not empty. These tables have rows: 1 in account, 1 in api_key. Nothing was copied.\n",
    ]);
    expect(await withDatabase(target, (database) => new AccountStore(database).list())).toEqual(before);
    expect(await withDatabase(target, findRevision)).toBe(undefined);
  });

  test("leaves the target empty if the copy fails midway", async () => {
    const source = tempDatabase();
    await storeCatalog(source, nativeRows(3));
    const { id } = await makeAccount(source);
    const store = await open(`sqlite:${source}`);
    await sql`pragma foreign_keys = off`.execute(store);
    await sql`insert into ledger_entry (account_id, reference, amount_e4, balance_e4, note, created_at) values ('ghost', 'a', 1, 1, '', '')`.execute(
      store,
    );
    const target = await create();
    const { code, stdout, stderr } = await copy(`sqlite:${source}`, target);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^gpu-offers-admin: [^\n]*foreign key[^\n]*\n$/i);
    expect(await withDatabase(target, findRevision)).toBe(undefined);
    expect(await withDatabase(target, (database) => new AccountStore(database).list())).toEqual([]);
    expect(id).not.toBe("");
  });

  test("copies an empty installation, too", async () => {
    const source = tempDatabase();
    await open(`sqlite:${source}`);
    const { code, stdout } = await copy(`sqlite:${source}`, await create());
    expect(code).toBe(0);
    expect(stdout).toMatch(/The balances of 0 accounts match; their sum is 0\.0000 USD\.\n$/);
  });
});

describe("database copy", () => {
  test("rejects anything but a database, with the right exit code, and creates no file", async () => {
    const missing = `sqlite:${tempDatabase()}`;
    const empty = await createPostgresDatabase(inject("postgresUrl"));
    const target = await createPostgresDatabase(inject("postgresUrl"));
    for (const nothing of [missing, empty]) {
      expect(await copy(nothing, target)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^gpu-offers-admin: no gpu-offers database at \S+\. Check --from\.\n$/) as string,
      });
    }
    expect(existsSync(missing.slice("sqlite:".length))).toBe(false);
    expect((await copy(target, target)).stderr).toMatch(/--from and --to are the same database\.\n$/);
    for (const url of ["mysql://ada:s3cret@db/x", "postgres://ada:s3cret@", "s3cret", ""]) {
      for (const [from, to] of [
        [url, target],
        [target, url],
      ] as const) {
        const { code, stdout, stderr } = await copy(from, to);
        expect([url, code, stdout]).toEqual([url, 2, ""]);
        expect(stderr).toMatch(/^gpu-offers-admin: --(?:from|to) must be sqlite:[^\n]+\n$/);
        expect(stderr).not.toContain("s3cret");
      }
    }
    expect((await admin(target, "database", "copy", "--from", target)).code).toBe(2);
  });

  test("prints no password", async () => {
    const target = new URL(await createPostgresDatabase(inject("postgresUrl")));
    target.password = "s3cret";
    const source = tempDatabase();
    await open(`sqlite:${source}`);
    for (const options of [[], ["--json"]]) {
      const { stdout, stderr } = await copy(`sqlite:${source}`, target.href, ...options);
      expect(stdout).toContain("postgres://postgres@127.0.0.1");
      expect(`${stdout}${stderr}`).not.toContain("s3cret");
    }
  });
});

test("takes the URLs from environment variables, so that no password is among its arguments", async () => {
  const [from, to] = [tempDatabase(), tempDatabase()];
  await storeCatalog(from, nativeRows(3));
  const args = ["database", "copy", "--from", "env:OLD_DATABASE", "--to", "env:NEW_DATABASE"];
  const settings = { OLD_DATABASE: `sqlite:${from}`, NEW_DATABASE: `sqlite:${to}` };
  const { code, stdout, stderr } = await startAdmin(tempDatabase(), args, { settings }).ended;
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`Copied sqlite:${from} to sqlite:${to}.`);
  const unset = await startAdmin(tempDatabase(), args, { settings: { OLD_DATABASE: `sqlite:${from}` } }).ended;
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining("NEW_DATABASE")]);
});
