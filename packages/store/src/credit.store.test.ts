import { MAX_AMOUNT_E4 } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { sql } from "kysely";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import { AccountStore } from "./account.store.js";
import type { Database } from "./database.js";
import { CreditStore } from "./credit.store.js";

const SEED = 20_261_120;

describe.each(databases)("the ledger in $kind", ({ kind, create }) => {
  let url: string;
  let database: Database;
  let accounts = 0;

  beforeAll(async () => {
    url = await create();
    database = await open(url);
  });

  const newAccount = async (): Promise<string> => {
    const made = await new AccountStore(database).create({ email: `${++accounts}@example.com`, displayName: "Ada" });
    return made?.id ?? "";
  };
  const add = (id: string, reference: string, amountE4: bigint, note = "") =>
    new CreditStore(database).add(id, { reference, amountE4, note });

  test("is empty at first", async () => {
    const id = await newAccount();
    expect(await new CreditStore(database).getBalance(id)).toBe(0n);
    expect(await new CreditStore(database).list(id)).toEqual([]);
    expect(await new CreditStore(database).getBalance("none")).toBe(0n);
  });

  test("accepts an entry once per reference", async () => {
    const id = await newAccount();
    const first = await add(id, "invoice-1", 250_000n, "first payment");
    expect(first).toEqual({
      outcome: "added",
      entry: {
        reference: "invoice-1",
        amountE4: 250_000n,
        note: "first payment",
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
        balanceE4: 250_000n,
      },
      balanceE4: 250_000n,
    });
    expect(await add(id, "invoice-1", 250_000n, "another note")).toEqual({ ...first, outcome: "repeated" });
    expect(await add(id, "invoice-1", 250_001n)).toEqual({ ...first, outcome: "conflict" });
    expect(await add(id, "invoice-1", -250_000n)).toEqual({ ...first, outcome: "conflict" });
    // References belong to an account and are case-sensitive.
    expect(await add(await newAccount(), "invoice-1", 1n)).toMatchObject({ outcome: "added", balanceE4: 1n });
    expect(await add(id, "INVOICE-1", 1n)).toMatchObject({ outcome: "added", balanceE4: 250_001n });
    expect(await new CreditStore(database).list(id)).toMatchObject([
      { reference: "invoice-1", note: "first payment" },
      { reference: "INVOICE-1" },
    ]);
  });

  test("never goes below zero", async () => {
    const id = await newAccount();
    expect(await add(id, "a", -1n)).toEqual({ outcome: "insufficient", balanceE4: 0n });
    await add(id, "b", 10_000n);
    expect(await add(id, "c", -10_001n)).toEqual({ outcome: "insufficient", balanceE4: 10_000n });
    expect(await add(id, "c", -10_000n)).toMatchObject({ outcome: "added", balanceE4: 0n });
    expect(await add(id, "d", -1n)).toEqual({ outcome: "insufficient", balanceE4: 0n });
  });

  test.each([2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 9_007_199_254_740_993_001n, MAX_AMOUNT_E4 - 1n, MAX_AMOUNT_E4])(
    "keeps %d ten-thousandths exactly",
    async (amountE4) => {
      const id = await newAccount();
      expect(await add(id, "in", amountE4)).toMatchObject({ outcome: "added", balanceE4: amountE4 });
      expect(await new CreditStore(database).getBalance(id)).toBe(amountE4);
      expect(await add(id, "in", amountE4)).toMatchObject({ outcome: "repeated" });
      expect(await add(id, "in", amountE4 - 1n)).toMatchObject({ outcome: "conflict" });
      expect(await add(id, "out", -amountE4)).toMatchObject({ outcome: "added", balanceE4: 0n });
      expect((await new CreditStore(database).list(id)).map((entry) => entry.amountE4)).toEqual([amountE4, -amountE4]);
    },
  );

  test("rejects amounts over 64 bits, and changes nothing", async () => {
    const id = await newAccount();
    expect(await add(id, "a", MAX_AMOUNT_E4 + 1n)).toEqual({ outcome: "excessive", balanceE4: 0n });
    await add(id, "b", MAX_AMOUNT_E4 - 1n);
    expect(await add(id, "c", 2n)).toEqual({ outcome: "excessive", balanceE4: MAX_AMOUNT_E4 - 1n });
    expect(await add(id, "d", 10n ** 30n)).toEqual({ outcome: "excessive", balanceE4: MAX_AMOUNT_E4 - 1n });
    expect(await add(id, "e", -(10n ** 30n))).toEqual({ outcome: "insufficient", balanceE4: MAX_AMOUNT_E4 - 1n });
    expect(await add(id, "f", 1n)).toMatchObject({ outcome: "added", balanceE4: MAX_AMOUNT_E4 });
    expect(await new CreditStore(database).list(id)).toHaveLength(2);
  });

  test("rejects an entry whose balance does not follow from the previous one, even in plain SQL", async () => {
    const id = await newAccount();
    await add(id, "a", 5n);
    await add(await newAccount(), "a", 100n);
    const insert = (columns: { id?: number; amount_e4: bigint; balance_e4?: bigint }) => {
      const row = { account_id: id, reference: "raw", note: "", created_at: "", ...columns };
      const names = Object.keys(row).map((name) => sql.id(name));
      return sql`insert into ledger_entry (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(
        database,
      );
    };
    for (const columns of [
      { amount_e4: 3n, balance_e4: 3n },
      { amount_e4: 3n, balance_e4: 7n },
      { amount_e4: 3n, balance_e4: 9n },
      { amount_e4: 3n, balance_e4: 103n },
      { amount_e4: 3n },
      { amount_e4: -6n, balance_e4: -1n },
      // Checked first: later balances would be incorrect.
      { id: 0, amount_e4: 3n, balance_e4: 3n },
      { id: -7, amount_e4: 0n, balance_e4: 0n },
    ]) {
      await expect(insert(columns)).rejects.toThrow("the balance does not follow");
    }
    await expect(insert({ amount_e4: MAX_AMOUNT_E4, balance_e4: 5n })).rejects.toThrow(/does not follow|out of range/);
    await insert({ amount_e4: 3n, balance_e4: 8n });
    expect(await new CreditStore(database).getBalance(id)).toBe(8n);
  });

  test("stays correct with a writer that takes no lock", async () => {
    const id = await newAccount();
    await add(id, "a", 5n);
    const insert = (writer: Database, reference: string) =>
      sql`insert into ledger_entry (account_id, reference, amount_e4, balance_e4, note, created_at)
          values (${id}, ${reference}, 1, 6, '', '')`.execute(writer);
    let second: Promise<unknown> = Promise.resolve();
    await database.transaction().execute(async (transaction) => {
      await insert(transaction, "b");
      second = open(url, { isServing: true })
        .then((other) => insert(other, "c"))
        .then(
          () => "added",
          (error: unknown) => String(error),
        );
      await setTimeout(300);
    });
    expect(await second).toMatch(/the balance does not follow|database is locked/);
    expect(await new CreditStore(database).getBalance(id)).toBe(6n);
    // It would have waited for the lock, and then not have seen the new entry.
    const transaction = database.transaction().setIsolationLevel("repeatable read");
    await expect(transaction.execute((writer) => insert(writer, "d"))).rejects.toThrow(
      kind === "PostgreSQL" ? "cannot be written in repeatable read" : "does not follow",
    );
  });

  test("adds up large amounts in any order that the database reads them", async () => {
    const id = await newAccount();
    // By reference, the two credits come before the debit, and their sum exceeds 64 bits.
    await add(id, "a", MAX_AMOUNT_E4);
    await add(id, "z", -MAX_AMOUNT_E4);
    await add(id, "b", MAX_AMOUNT_E4);
    expect(await new CreditStore(database).getBalance(id)).toBe(MAX_AMOUNT_E4);
  });

  test("is listed in pages, newest entry last", async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    for (const reference of ["a", "b", "c", "d"]) {
      await add(id, reference, 1n);
      await add(other, reference, 2n);
    }
    const told = async (page: { limit?: number; before?: string }) =>
      (await new CreditStore(database).list(id, page))
        .map(({ reference, amountE4 }) => `${reference}${amountE4}`)
        .join(" ");
    expect(await told({})).toBe("a1 b1 c1 d1");
    expect(await told({ limit: 2 })).toBe("c1 d1");
    expect(await told({ before: "c" })).toBe("a1 b1");
    expect(await told({ before: "c", limit: 1 })).toBe("b1");
    expect(await told({ before: "a" })).toBe("");
    expect(await told({ before: "none" })).toBe("");
    const [newest] = await new CreditStore(database).list(other, { limit: 1 });
    const { id: number, createdAt } = (await new CreditStore(database).findNewest()) ?? { id: 0, createdAt: "" };
    expect(createdAt).toBe(newest?.createdAt);
    await add(id, "e", 1n);
    expect((await new CreditStore(database).findNewest())?.id).toBeGreaterThan(number);
  });

  test("prevents changes and removals of entries", async () => {
    const id = await newAccount();
    await add(id, "kept", 5n);
    for (const statement of [
      sql`update ledger_entry set amount_e4 = 6 where account_id = ${id}`,
      sql`update ledger_entry set note = 'x'`,
      sql`delete from ledger_entry where account_id = ${id}`,
      sql`delete from ledger_entry`,
      sql`insert into ledger_entry (account_id, reference, amount_e4, balance_e4, note, created_at)
          values (${id}, 'kept', 5, 10, '', '')
          on conflict (account_id, reference) do update set amount_e4 = 9`,
    ]) {
      await expect(statement.execute(database)).rejects.toThrow("ledger_entry is append-only");
    }
    await expect(sql`delete from account where id = ${id}`.execute(database)).rejects.toThrow(/foreign key/i);
    expect(await new CreditStore(database).getBalance(id)).toBe(5n);
  });

  test("cannot be emptied or replaced", async () => {
    const id = await newAccount();
    await add(id, "kept", 5n);
    const before = await new CreditStore(database).list(id);
    const { rows } = await sql<{ id: number }>`select max(id) as id from ledger_entry`.execute(database);
    for (const statement of [
      sql`truncate ledger_entry`,
      sql`insert or replace into ledger_entry (account_id, reference, amount_e4, balance_e4, note, created_at)
          values (${id}, 'kept', 6, 11, '', '')`,
      sql`replace into ledger_entry (id, account_id, reference, amount_e4, balance_e4, note, created_at)
          values (${rows[0]?.id}, ${id}, 'other', 6, 11, '', '')`,
    ]) {
      await expect(statement.execute(database)).rejects.toThrow(/append-only|syntax error/);
    }
    expect(await new CreditStore(database).list(id)).toEqual(before);
  });

  test("matches a model, operation by operation", async () => {
    const large = fc.bigInt({ min: -MAX_AMOUNT_E4 - 5n, max: MAX_AMOUNT_E4 + 5n });
    const small = fc.bigInt({ min: -50n, max: 60n });
    const operation = fc.record({ number: fc.nat(30), amountE4: fc.oneof(small, small, large) });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60 }), async (operations) => {
        const id = await newAccount();
        const model = new Map<string, bigint>();
        let balanceE4 = 0n;
        for (const { number, amountE4 } of operations) {
          const reference = `r${number}`;
          const known = model.get(reference);
          let outcome = known === amountE4 ? "repeated" : "conflict";
          if (known === undefined) {
            const next = balanceE4 + amountE4;
            outcome = next < 0n ? "insufficient" : next > MAX_AMOUNT_E4 ? "excessive" : "added";
          }
          if (outcome === "added") {
            model.set(reference, amountE4);
            balanceE4 += amountE4;
          }
          expect(await add(id, reference, amountE4)).toMatchObject({ outcome, balanceE4 });
        }
        expect(await new CreditStore(database).getBalance(id)).toBe(balanceE4);
        const entries = await new CreditStore(database).list(id);
        expect(entries.map((entry) => [entry.reference, entry.amountE4])).toEqual([...model]);
        expect((await new CreditStore(database).sumByAccount()).get(id)).toBe(
          entries.length === 0 ? undefined : balanceE4,
        );
      }),
      { seed: SEED, numRuns: 25 },
    );
  });
});
