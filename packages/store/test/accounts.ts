import { parseAmount } from "@gpu-offers/domain";
import type { TestAccount } from "@gpu-offers/testkit/accounts";
import type { InvalidKeys } from "@gpu-offers/testkit/bad-credentials";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
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
    new ApiKeyStore(opened).create({ accountId, label, expiresAt }),
  );
  return { keyId: id, key };
}

/** Revokes a key. */
export async function revokeKey(database: string, keyId: string): Promise<void> {
  await withDatabase(database, (opened) => new ApiKeyStore(opened).revoke(keyId));
}

/** Disables an account. */
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

/** Creates keys that must be rejected. */
export async function makeInvalidKeys(database: string, { id }: TestAccount): Promise<InvalidKeys> {
  const revoked = await makeKey(database, id);
  await revokeKey(database, revoked.keyId);
  const leaver = await makeAccount(database);
  await disable(database, leaver.id);
  return {
    revoked,
    expired: await makeKey(database, id, { expiresAt: new Date(Date.now() - 1).toISOString() }),
    unknown: await makeAccount(tempDatabase()),
    disabled: leaver,
  };
}
