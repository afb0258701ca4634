import { randomUUID } from "node:crypto";
import type { Account } from "@gpu-offers/domain";
import { BALANCE } from "./credit.store.js";
import type { Database } from "./database.js";

// Accounts. The operator creates, disables and re-enables them. They are never removed, because their ledger must stay.

/** An account with the fields that operators see. */
export interface StoredAccount extends Account {
  /** When it was disabled, ISO 8601 UTC; null if it is enabled. */
  disabled_at: string | null;
}

const COLUMNS = ["id", "email", "display_name", "created_at", "disabled_at"] as const;

export class AccountStore {
  constructor(private readonly database: Database) {}

  /** Creates an account. Undefined if another one has this email address (case-insensitive). */
  async create({ email, displayName }: { email: string; displayName: string }): Promise<StoredAccount | undefined> {
    return this.database
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

  /** The account with this id or email address; undefined if there is none. */
  async find(idOrEmail: string): Promise<StoredAccount | undefined> {
    return this.database
      .selectFrom("account")
      .select(COLUMNS)
      .where((where) =>
        where.or([where("id", "=", idOrEmail.toLowerCase()), where("email_key", "=", emailKey(idOrEmail))]),
      )
      .executeTakeFirst();
  }

  /** All accounts with their balances in ten-thousandths of a dollar, oldest first. */
  async list(): Promise<(StoredAccount & { balanceE4: bigint })[]> {
    const rows = await this.database
      .selectFrom("account")
      .select(COLUMNS)
      .select((select) =>
        select
          .selectFrom("ledger_entry")
          .whereRef("ledger_entry.account_id", "=", "account.id")
          .select(BALANCE.as("last"))
          .orderBy("ledger_entry.id", "desc")
          .limit(1)
          .as("balance"),
      )
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(({ balance, ...account }) => Object.assign(account, { balanceE4: BigInt(balance ?? 0) }));
  }

  /** Disables an account: its keys are rejected from then on. Undefined if there is no account with this id. */
  async disable(id: string): Promise<StoredAccount | undefined> {
    const enabled = this.database.updateTable("account").where("id", "=", id).where("disabled_at", "is", null);
    await enabled.set({ disabled_at: new Date().toISOString() }).execute();
    return this.find(id);
  }

  /** Re-enables an account: its keys work again unless revoked or expired. Undefined if there is no account with this id. */
  async enable(id: string): Promise<StoredAccount | undefined> {
    await this.database.updateTable("account").set({ disabled_at: null }).where("id", "=", id).execute();
    return this.find(id);
  }
}

/** Normalizes an address for comparison. Databases differ in how they lower-case É and İ, so it isn't done in SQL. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
