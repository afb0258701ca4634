import { MAX_AMOUNT_E4 } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { createAccount } from "../src/store/account.store.js";
import { getBalance, listLedgerEntries } from "../src/store/ledger.store.js";
import { databases, open } from "./databases.ts";
import type { Written } from "./ledger-writer.ts";
import { startScript } from "./running-process.ts";

const SEED = 20_261_120;

describe.each(databases)("the ledger in $kind", ({ create }) => {
  test("is exact under two processes that write to one account", { timeout: 120_000 }, async () => {
    const url = await create();
    const database = await open(url);
    const id = (await createAccount(database, { email: "ada@example.com", displayName: "Ada" }))?.id ?? "";
    const OPERATIONS = 2_000;
    const ended = await Promise.all(
      [SEED, SEED + 1].map(
        (seed) => startScript("ledger-writer.ts", [url, id, String(seed), String(OPERATIONS)]).ended,
      ),
    );
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual([0, 0].map((code) => ({ code, stderr: "" })));
    const written = ended.flatMap(({ stdout }) =>
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Written),
    );
    expect(written).toHaveLength(2 * OPERATIONS);

    // The entries in their order are the model: each balance that a writer was told is the one of its moment.
    const balances = new Set([0n]);
    const balanceAfter = new Map<string, { amountE4: bigint; balanceE4: bigint }>();
    let balanceE4 = 0n;
    for (const { reference, amountE4, balanceE4: stated } of await listLedgerEntries(database, id)) {
      balanceE4 += amountE4;
      expect(balanceE4 >= 0n && balanceE4 <= MAX_AMOUNT_E4).toBe(true);
      expect(stated).toBe(balanceE4);
      expect(balanceAfter.has(reference)).toBe(false);
      balanceAfter.set(reference, { amountE4, balanceE4 });
      balances.add(balanceE4);
    }
    expect(await getBalance(database, id)).toBe(balanceE4);
    const counts: Record<string, number> = {};
    const isTrue = ({ reference, amount, outcome, balance }: Written): boolean => {
      const entry = balanceAfter.get(reference);
      const after = BigInt(balance) + BigInt(amount);
      switch (outcome) {
        case "added":
          return entry?.amountE4 === BigInt(amount) && entry.balanceE4 === BigInt(balance);
        case "repeated":
          return entry?.amountE4 === BigInt(amount);
        case "conflict":
          return entry !== undefined && entry.amountE4 !== BigInt(amount);
        case "insufficient":
          return after < 0n;
        default:
          return after > MAX_AMOUNT_E4;
      }
    };
    for (const told of written) {
      counts[told.outcome] = (counts[told.outcome] ?? 0) + 1;
      expect(balances).toContain(BigInt(told.balance));
    }
    expect(written.filter((told) => !isTrue(told))).toEqual([]);
    expect(counts["added"]).toBe(balanceAfter.size);
    expect(Object.keys(counts).sort()).toEqual(["added", "conflict", "excessive", "insufficient", "repeated"]);
  });
});
