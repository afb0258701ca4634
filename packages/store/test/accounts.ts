import { parseAmount } from "@gpu-offers/domain";
import type { TestAccount } from "@gpu-offers/testkit/accounts";
import { AccountStore } from "../src/account.store.ts";
import { ApiKeyStore } from "../src/api-key.store.ts";
import { CreditStore } from "../src/credit.store.ts";
import { withDatabase } from "./databases.ts";

// Accounts, keys and credit that a test needs but isn't about. The store writes them: starting a command for each takes
// most of the time of such a test.

let made = 0;

/** Creates an account with a key. */
export async function makeAccount(database: string, name = "Ada Lovelace"): Promise<TestAccount> {
  const email = `ada-${++made}@example.com`;
  const account = await withDatabase(database, (opened) =>
    new AccountStore(opened).create({ email, displayName: name }),
  );
  if (account === undefined) {
    throw new Error(`There is already an account ${email}.`);
  }
  return { id: account.id, email, ...(await makeKey(database, account.id)) };
}

/** Creates another key for an account. */
export async function makeKey(
  database: string,
  accountId: string,
  { label = "", expiresAt = null }: { label?: string; expiresAt?: string | null } = {},
): Promise<Pick<TestAccount, "keyId" | "key">> {
  const { id, key } = await withDatabase(database, (opened) =>
    new ApiKeyStore(opened).create({ account_id: accountId, label, expires_at: expiresAt }),
  );
  return { keyId: id, key };
}

export async function revokeKey(database: string, keyId: string): Promise<void> {
  await withDatabase(database, (opened) => new ApiKeyStore(opened).revoke(keyId));
}

export async function disable(database: string, accountId: string): Promise<void> {
  await withDatabase(database, (opened) => new AccountStore(opened).disable(accountId));
}

/** Adds credit in USD; a negative amount is a debit. */
export async function addCredit(
  database: string,
  accountId: string,
  amount: string,
  reference: string,
  note = "",
): Promise<void> {
  const { outcome } = await withDatabase(database, (opened) =>
    new CreditStore(opened).add(accountId, { reference, amountE4: parseAmount(amount), note }),
  );
  if (outcome !== "added") {
    throw new Error(`The entry ${reference} was not added: ${outcome}.`);
  }
}
