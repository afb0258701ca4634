import { MAX_AMOUNT_E4 } from "@gpu-offers/domain";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import { withoutBalances } from "../test/old-ledger.ts";
import { AccountStore } from "./account.store.js";
import { openDatabase, type Database } from "./database.js";
import { CreditStore } from "./credit.store.js";

// Migration 003: a ledger from before entries had balances.

describe.each(databases)("a ledger without balances in $kind", ({ kind, create }) => {
  async function fill(database: Database, amounts: readonly bigint[][]): Promise<string[]> {
    const ids: string[] = [];
    for (const number of amounts.keys()) {
      ids.push(
        (await new AccountStore(database).create({ email: `${number}@example.com`, displayName: "Ada" }))?.id ?? "",
      );
    }
    for (let entry = 0; entry < Math.max(...amounts.map(({ length }) => length)); entry++) {
      for (const [number, id] of ids.entries()) {
        const amount = amounts[number]?.[entry];
        if (amount !== undefined) {
          await sql`insert into ledger_entry (account_id, reference, amount_e4, note, created_at)
            values (${id}, ${`r${entry}`}, ${amount}, 'note', '2026-01-01T00:00:00.000Z')`.execute(database);
        }
      }
    }
    return ids;
  }

  test("gets them exactly, entry by entry, and stays append-only", async () => {
    const url = await create();
    const old = await openDatabase(url);
    await withoutBalances(old, kind);
    const amounts = [
      [5n, -5n, 7n, -2n],
      [MAX_AMOUNT_E4, -1n, -MAX_AMOUNT_E4 + 1n, MAX_AMOUNT_E4],
      [2n ** 53n, 1n, 1n, -(2n ** 53n)],
      [1n],
      [],
    ];
    const ids = await fill(old, amounts);
    await old.destroy();

    const database = await open(url);
    for (const [number, id] of ids.entries()) {
      let balanceE4 = 0n;
      const expected = (amounts[number] ?? []).map((amountE4, entry) => {
        balanceE4 += amountE4;
        return { reference: `r${entry}`, amountE4, note: "note", createdAt: "2026-01-01T00:00:00.000Z", balanceE4 };
      });
      expect(await new CreditStore(database).list(id)).toEqual(expected);
      expect(await new CreditStore(database).getBalance(id)).toBe(balanceE4);
    }
    const [id = ""] = ids;
    expect(await new CreditStore(database).add(id, { reference: "new", amountE4: -5n, note: "" })).toMatchObject({
      outcome: "added",
      balanceE4: 0n,
    });
    await expect(sql`update ledger_entry set balance_e4 = 1`.execute(database)).rejects.toThrow("append-only");
    await expect(sql`delete from ledger_entry`.execute(database)).rejects.toThrow("append-only");
    expect(await admin(url, "verify")).toMatchObject({ code: 0, stderr: "" });
  });

  test("gets them once from processes that start at the same time", async () => {
    const url = await create();
    const old = await openDatabase(url);
    await withoutBalances(old, kind);
    const [id = ""] = await fill(old, [Array.from({ length: 200 }, () => 1n)]);
    await old.destroy();
    const ended = await Promise.all(
      [1, 2, 3].map((number) =>
        admin(url, "credit", "add", "--account", id, "--amount", "1", "--reference", `new-${number}`),
      ),
    );
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, ""]));
    const database = await open(url);
    expect(await new CreditStore(database).getBalance(id)).toBe(30_200n);
    expect(await admin(url, "verify")).toMatchObject({ code: 0, stderr: "" });
  });
});
