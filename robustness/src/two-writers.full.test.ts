import { MAX_AMOUNT_E4 } from "@gpu-offers/domain";
import { openDatabase } from "@gpu-offers/store/database";
import { CreditStore, type CreditEntry } from "@gpu-offers/store/credit.store";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { adminDone } from "@gpu-offers/testkit/admin";
import type { Written } from "./ledger-writer.ts";
import { startScript } from "@gpu-offers/testkit/running-process";
import { onBothDatabases, type TestDatabase } from "./both-databases.ts";
import { shown } from "@gpu-offers/testkit/table-row";
import { stressTest, type Run } from "./stress-test.ts";

// Two processes write to one account: credits, debits, repeated references, conflicts, amounts that don't fit. The
// ordered entries are the model that every outcome reported to a writer must match.

/** The possible outcomes of an operation; each must occur. */
const OUTCOMES = ["added", "repeated", "conflict", "insufficient", "excessive"];

/** The entries by reference, and every balance that ever held. */
function modelOf(entries: readonly CreditEntry[], report: Run["report"]) {
  const balances = new Set([0n]);
  const known = new Map<string, { amountE4: bigint; balanceE4: bigint }>();
  let balanceE4 = 0n;
  for (const { reference, amountE4, balanceE4: stated } of entries) {
    balanceE4 += amountE4;
    if (stated !== balanceE4) {
      report(`${reference} states the balance ${stated}, but it is ${balanceE4}`);
    }
    if (balanceE4 < 0n || balanceE4 > MAX_AMOUNT_E4) {
      report(`${reference} took the balance to ${balanceE4}`);
    }
    if (known.has(reference)) {
      report(`${reference} exists twice`);
    }
    known.set(reference, { amountE4, balanceE4 });
    balances.add(balanceE4);
  }
  return { known, balances, balanceE4 };
}

/** Checks an outcome that was reported to a writer. */
function isTrue({ reference, amount, outcome, balance }: Written, { known }: ReturnType<typeof modelOf>): boolean {
  const entry = known.get(reference);
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
    case "excessive":
      return after > MAX_AMOUNT_E4;
    default:
      return false;
  }
}

async function write({ kind, url }: TestDatabase, n: number, seed: number, report: Run["report"]): Promise<string> {
  const { id } = await makeAccount(url);
  const ended = await Promise.all(
    [seed, seed + 1].map(
      (own) =>
        startScript(new URL("./ledger-writer.ts", import.meta.url), [url, id, String(own), String(Math.ceil(n / 2))])
          .ended,
    ),
  );
  for (const { code, stderr } of ended) {
    if (code !== 0 || stderr !== "") {
      report(`${kind}: a writer ended with ${code}: ${stderr}`);
    }
  }
  const written = ended.flatMap(({ stdout }) =>
    stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Written),
  );
  const database = await openDatabase(url, { isReader: true });
  const model = modelOf(await new CreditStore(database).list(id), report);
  if ((await new CreditStore(database).getBalance(id)) !== model.balanceE4) {
    report(`${kind}: the balance is not the sum of the entries`);
  }
  await database.destroy();
  const counts = new Map<string, number>();
  for (const reported of written) {
    counts.set(reported.outcome, (counts.get(reported.outcome) ?? 0) + 1);
    if (!isTrue(reported, model) || !model.balances.has(BigInt(reported.balance))) {
      report(`${kind}: not true: ${JSON.stringify(reported)}`);
    }
  }
  if (counts.get("added") !== model.known.size) {
    report(`${kind}: ${counts.get("added")} were reported as added, ${model.known.size} exist`);
  }
  await adminDone(url, "verify");
  for (const outcome of OUTCOMES.filter((each) => !counts.has(each))) {
    report(`${kind}: nothing was ${outcome}: n is too small to tell`);
  }
  return [...counts].map(([outcome, count]) => `${shown(count)} ${outcome}`).join(", ");
}

stressTest(
  "two writers of one account",
  { bar: "exact, never negative", unit: "per database", n: 100_000, shortN: 2_000 },
  async ({ n, seed, report }) => {
    return onBothDatabases((database) => write(database, n, seed, report));
  },
);
