import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { openDatabase } from "@gpu-offers/store/database";
import { amountOf } from "./killed-writer-amounts.ts";

// A process that writes to a ledger until it is killed. It is started ahead of time, prints `ready`, waits for a line
//
//     <account id> <round> [<reference to repeat>]
//
// and then prints each entry once the database has taken it: its reference and the outcome.

const [url = ""] = process.argv.slice(2);
const database = await openDatabase(url);
writeSync(1, "ready\n");
for await (const line of createInterface(process.stdin)) {
  const [accountId = "", round = "", repeated] = line.split(" ");
  if (repeated !== undefined) {
    await write(accountId, repeated);
  }
  for (let number = 0; ; number++) {
    await write(accountId, `${round}-${number}`);
  }
}

async function write(accountId: string, reference: string): Promise<void> {
  const { outcome } = await new CreditStore(database).add(accountId, {
    reference,
    amountE4: amountOf(reference),
    note: "killed",
  });
  writeSync(1, `${reference} ${outcome}\n`);
}
