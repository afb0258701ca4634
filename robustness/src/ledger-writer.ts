import { MAX_AMOUNT_E4 } from "@gpu-offers/domain";
import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { openDatabase } from "@gpu-offers/store/database";

// A process that writes to one account as fast as it can, for tests with several writers.
//
//     node ledger-writer.ts <DATABASE_URL> <account id> <seed> <operations>
//
// It prints each operation and its outcome, one JSON object per line.

/** The printed form of an operation. Amounts are texts, in ten-thousandths of a dollar. */
export interface Written {
  reference: string;
  amount: string;
  outcome: string;
  balance: string;
}

/** References that writers choose from; few, so that writers often collide. */
const REFERENCES = 3_000;

const [url = "", accountId = "", seed = "", operations = ""] = process.argv.slice(2);
const random = randomNumbers(Number(seed));
const database = await openDatabase(url);
for (let done = 0; done < Number(operations); done++) {
  const number = Math.floor(random() * REFERENCES);
  const reference = `job-${number}`;
  // Usually the same amount for the same reference; sometimes another, which is a conflict.
  const amountE4 = amountOf(random() < 0.9 ? number : number + 1);
  const { outcome, balanceE4 } = await new CreditStore(database).add(accountId, { reference, amountE4, note: seed });
  const written: Written = { reference, amount: String(amountE4), outcome, balance: String(balanceE4) };
  process.stdout.write(`${JSON.stringify(written)}\n`);
}
await database.destroy();

/** Slightly more credits than debits; one in fifty is so large that only one of them fits. */
function amountOf(number: number): bigint {
  const choose = randomNumbers(number);
  const sign = choose() < 0.55 ? 1n : -1n;
  if (choose() < 0.02) {
    return sign * (MAX_AMOUNT_E4 - BigInt(Math.floor(choose() * 1e6)));
  }
  return sign * BigInt(Math.ceil(choose() * 1_000_000));
}
