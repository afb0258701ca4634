import { setTimeout as delay } from "node:timers/promises";
import { formatAmount, parseAmount } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { makeAccount, withKey, type TestAccount } from "@gpu-offers/testkit/accounts";
import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { databases } from "@gpu-offers/testkit/databases";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import type { Ended } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";

// Two people at the command line at the same time, while the service shows the balance.

/** Number of commands per operator. */
const COMMANDS = 6;

/** An operator's entry; a negative amount is a debit. */
interface Entry {
  reference: string;
  amountE4: bigint;
}

interface Told extends Entry {
  ended: Ended;
}

/** In turn: the same credit as the other operator, an own debit, and another credit under the same reference. */
function entryOf(operator: number, step: number): Entry {
  switch (step % 3) {
    case 0:
      return { reference: `both-${step}`, amountE4: BigInt(step + 2) * 10_000n };
    case 1:
      return { reference: `own-${operator}-${step}`, amountE4: BigInt(-step - 4) * 10_000n };
    default:
      return { reference: `clash-${step}`, amountE4: BigInt(operator + 1) * 10_000n + 1n };
  }
}

async function operate(database: string, account: string, operator: number): Promise<Told[]> {
  const told: Told[] = [];
  for (let step = 0; step < COMMANDS; step++) {
    const { reference, amountE4 } = entryOf(operator, step);
    const [verb, amount] = amountE4 < 0n ? ["debit", -amountE4] : ["add", amountE4];
    const options = ["--account", account, "--amount", formatAmount(amount), "--reference", reference, "--json"];
    told.push({ reference, amountE4, ended: await admin(database, "credit", verb, ...options) });
  }
  return told;
}

/** Requests the balance until stopped. Returns the balances in order. */
async function watch(service: Service, { key }: TestAccount, signal: AbortSignal): Promise<bigint[]> {
  const balances: bigint[] = [];
  while (!signal.aborted) {
    const response = await fetchFrom(service, "/api/v1/account/balance", withKey(key));
    expect(response.status).toBe(200);
    balances.push(parseAmount((jsonOf(response) as { balance: string }).balance));
    await delay(20);
  }
  return balances;
}

describe.each(databases)("two operators at once on $kind", ({ create }) => {
  test("produce one exact ledger, and each gets the outcome of each entry", { timeout: 120_000 }, async () => {
    const database = await create();
    const service = await startService({ databasePath: database, settings: { RATE_LIMIT: "off" } });
    const account = await makeAccount(database);
    const over = new AbortController();
    const watching = watch(service, account, over.signal);
    const told = (await Promise.all([operate(database, account.id, 0), operate(database, account.email, 1)])).flat();
    over.abort();
    const seen = await watching;

    const history = await adminDone(database, "credit", "history", "--account", account.id, "--json");
    const { entries, balance } = JSON.parse(history.stdout) as {
      entries: { reference: string; amount: string; balance: string }[];
      balance: string;
    };
    let balanceE4 = 0n;
    const balances = [0n];
    for (const entry of entries) {
      balanceE4 += parseAmount(entry.amount);
      expect([balanceE4 >= 0n, formatAmount(balanceE4)]).toEqual([true, entry.balance]);
      balances.push(balanceE4);
    }
    expect(balance).toBe(formatAmount(balanceE4));

    // The service always shows the balance after some entry, and never goes back.
    let at = 0;
    for (const one of seen) {
      at = balances.indexOf(one, at);
      expect(at).not.toBe(-1);
    }

    const stored = new Map(entries.map(({ reference, amount }) => [reference, parseAmount(amount)]));
    expect(stored.size).toBe(entries.length);
    const added = told.filter(({ ended }) => ended.stdout.includes('"outcome": "added"'));
    expect(added.map(({ reference }) => reference).sort()).toEqual([...stored.keys()].sort());
    for (const { reference, amountE4, ended } of told) {
      const isEntered = stored.get(reference) === amountE4;
      expect([reference, ended.code]).toEqual([reference, isEntered ? 0 : 1]);
      expect(ended.stderr).toMatch(
        isEntered ? /^$/ : stored.has(reference) ? /was used on/ : /Nothing was changed\.\n$/,
      );
    }
    expect(await admin(database, "verify")).toMatchObject({ code: 0, stderr: "" });
    expect((await service.stop()).code).toBe(0);
  });
});
