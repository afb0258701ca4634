import { randomUUID } from "node:crypto";
import type { Account } from "@gpu-offers/domain";
import { sql } from "kysely";
import type { Database } from "./database.js";

// Accounts. They are made, disabled and enabled again by the operator, never removed: their ledger has to stay.

/** An account as the operator sees it. */
export interface StoredAccount extends Account {
  /** When it was disabled, ISO 8601 UTC; null while it may be used. */
  disabled_at: string | null;
}

const COLUMNS = ["id", "email", "display_name", "created_at", "disabled_at"] as const;

/** Makes an account. Undefined when another one has this e-mail address, in any case of its letters. */
export async function createAccount(
  database: Database,
  { email, displayName }: { email: string; displayName: string },
): Promise<StoredAccount | undefined> {
  return database
    .insertInto("account")
    .values({
      id: randomUUID(),
      email,
      email_key: emailKey(email),
      display_name: displayName,
      created_at: new Date().toISOString(),
      disabled_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** The account with this id or e-mail address; undefined when there is none. */
export async function findAccount(database: Database, idOrEmail: string): Promise<StoredAccount | undefined> {
  return database
    .selectFrom("account")
    .select(COLUMNS)
    .where((where) =>
      where.or([where("id", "=", idOrEmail.toLowerCase()), where("email_key", "=", emailKey(idOrEmail))]),
    )
    .executeTakeFirst();
}

/** All accounts, the oldest first, with their balances in ten-thousandths of a dollar. */
export async function listAccounts(database: Database): Promise<(StoredAccount & { balanceE4: bigint })[]> {
  const rows = await database
    .selectFrom("account")
    .select(COLUMNS)
    .select((select) =>
      select
        .selectFrom("ledger_entry")
        .whereRef("ledger_entry.account_id", "=", "account.id")
        .select(sql<string>`cast(balance_e4 as text)`.as("last"))
        .orderBy("ledger_entry.id", "desc")
        .limit(1)
        .as("balance"),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ balance, ...account }) => Object.assign(account, { balanceE4: BigInt(balance ?? 0) }));
}

/** Disables an account: its keys are rejected from then on. Undefined when there is none with this id. */
export async function disableAccount(database: Database, id: string): Promise<StoredAccount | undefined> {
  await database
    .updateTable("account")
    .set({ disabled_at: new Date().toISOString() })
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .execute();
  return findAccount(database, id);
}

/** Enables a disabled account: those of its keys that are neither revoked nor expired are taken again. Undefined as above. */
export async function enableAccount(database: Database, id: string): Promise<StoredAccount | undefined> {
  await database.updateTable("account").set({ disabled_at: null }).where("id", "=", id).execute();
  return findAccount(database, id);
}

/** What makes two addresses the same. Not left to the databases, which differ in what the small letters of É and İ are. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
