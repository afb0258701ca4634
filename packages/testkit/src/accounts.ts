import { adminDone } from "./admin.ts";

export interface TestAccount {
  id: string;
  email: string;
  keyId: string;
  key: string;
}

// Workers may make accounts in one database.
let made = process.pid * 1_000;

/** Creates an account with a key, through the command line. */
export async function makeAccount(database: string, name = "Ada Lovelace"): Promise<TestAccount> {
  const email = `ada-${++made}@example.com`;
  const account = await adminDone(database, "account", "create", "--email", email, "--name", name, "--json");
  const { id } = JSON.parse(account.stdout) as { id: string };
  const { stdout } = await adminDone(database, "key", "create", "--account", id, "--json");
  const { id: keyId, key } = JSON.parse(stdout) as { id: string; key: string };
  return { id, email, keyId, key };
}

/** The key of a new account with so much credit in USD. */
export async function keyWithCredit({ databasePath }: { databasePath: string }, amount: string): Promise<string> {
  const { id, key } = await makeAccount(databasePath);
  await adminDone(databasePath, "credit", "add", "--account", id, "--amount", amount, "--reference", "first");
  return key;
}

export const withKey = (key: string): { headers: { authorization: string } } => ({
  headers: { authorization: `Bearer ${key}` },
});
