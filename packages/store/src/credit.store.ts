import { MAX_AMOUNT_E4 } from "@gpu-offers/domain";
import { sql } from "kysely";
import { kindOf, type Database } from "./database.js";

// The ledger: an append-only list of credits and debits in ten-thousandths of a dollar. Each entry has the balance after
// it, so that balances needn't be summed up. The database itself rejects changed and removed entries, and new ones whose
// balance doesn't follow from the previous entry.

export interface CreditEntry {
  /** Chosen by the caller, unique in the account. */
  reference: string;
  /** Ten-thousandths of a dollar; negative for a debit. */
  amountE4: bigint;
  note: string;
  /** ISO 8601 UTC. */
  createdAt: string;
  /** Balance of the account after this entry, in ten-thousandths of a dollar. */
  balanceE4: bigint;
}

/** The outcome of adding an entry. A `repeated` entry already existed, and nothing was added. */
type CreditResult =
  | { outcome: "added" | "repeated" | "conflict"; entry: CreditEntry; balanceE4: bigint }
  | { outcome: "insufficient"; balanceE4: bigint }
  | { outcome: "excessive"; balanceE4: bigint };

/** The credits and debits of all accounts. */
export class CreditStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds an entry, exactly once for its reference: the same entry again is a no-op, the same reference
   * with another amount a conflict. A debit below zero is rejected as `insufficient`, a credit beyond
   * {@link MAX_AMOUNT_E4} as `excessive`.
   */
  async add(
    accountId: string,
    { reference, amountE4, note }: Pick<CreditEntry, "reference" | "amountE4" | "note">,
  ): Promise<CreditResult> {
    // After waiting for the lock, this transaction must see what others committed meanwhile.
    return this.database
      .transaction()
      .setIsolationLevel("read committed")
      .execute(async (transaction) => {
        await kindOf(transaction).lockLedgerOf(transaction, accountId);
        const ledger = new CreditStore(transaction);
        const before = await ledger.getBalance(accountId);
        const entry = await ledger.find(accountId, reference);
        if (entry !== undefined) {
          return { outcome: entry.amountE4 === amountE4 ? "repeated" : "conflict", entry, balanceE4: before };
        }
        const balanceE4 = before + amountE4;
        if (balanceE4 < 0n || balanceE4 > MAX_AMOUNT_E4) {
          return { outcome: balanceE4 < 0n ? "insufficient" : "excessive", balanceE4: before };
        }
        const createdAt = new Date().toISOString();
        await transaction
          .insertInto("ledger_entry")
          .values({
            account_id: accountId,
            reference,
            amount_e4: amountE4,
            note,
            created_at: createdAt,
            balance_e4: balanceE4,
          })
          .execute();
        return { outcome: "added", entry: { reference, amountE4, note, createdAt, balanceE4 }, balanceE4 };
      });
  }

  /** The balance of an account in ten-thousandths of a dollar; 0 if it has no entries. */
  async getBalance(accountId: string): Promise<bigint> {
    const entries = selectEntries(this.database, accountId).orderBy("id", "desc");
    const last = await entries.limit(1).executeTakeFirst();
    return BigInt(last?.balance ?? 0);
  }

  /** The sum of each account's entries in ten-thousandths of a dollar. Reads the whole ledger. */
  async sumByAccount(): Promise<Map<string, bigint>> {
    const rows = await this.database
      .selectFrom("ledger_entry")
      .select(["account_id", SUM_OF_HIGH.as("high"), SUM_OF_LOW.as("low")])
      .groupBy("account_id")
      .execute();
    return new Map(rows.map(({ account_id, high, low }) => [account_id, BigInt(high) * HALF + BigInt(low)]));
  }

  /**
   * Entries of an account, oldest first: all, or the last `limit`; if `before` is given, only those before the entry with
   * this reference, or none if there is no such entry.
   */
  async list(accountId: string, { limit, before }: { limit?: number; before?: string } = {}): Promise<CreditEntry[]> {
    let entries = selectEntries(this.database, accountId).orderBy("id", "desc");
    if (before !== undefined) {
      const bound = this.database.selectFrom("ledger_entry").select("id");
      entries = entries.where("id", "<", bound.where("account_id", "=", accountId).where("reference", "=", before));
    }
    if (limit !== undefined) {
      entries = entries.limit(limit);
    }
    return (await entries.execute()).map(toEntry).toReversed();
  }

  async find(accountId: string, reference: string): Promise<CreditEntry | undefined> {
    const row = await selectEntries(this.database, accountId).where("reference", "=", reference).executeTakeFirst();
    return row && toEntry(row);
  }

  /** Number and time of the newest entry of all accounts; undefined if there is none. Takes constant time. */
  async findNewest(): Promise<{ id: number; createdAt: string } | undefined> {
    const entries = this.database.selectFrom("ledger_entry").select(["id", "created_at as createdAt"]);
    return entries.orderBy("id", "desc").limit(1).executeTakeFirst();
  }
}

// A sum of amounts may overflow 64 bits on its way to a balance that fits, because the order is undefined, and SQLite
// rejects that. The sums of the two halves of each amount can't overflow.
const HALF = 1_000_000_000n;
const SUM_OF_HIGH = sql<string>`cast(sum(amount_e4 / ${sql.lit(Number(HALF))}) as text)`;
const SUM_OF_LOW = sql<string>`cast(sum(amount_e4 % ${sql.lit(Number(HALF))}) as text)`;

/** SQL: columns with values above 2^53, read as text. */
export const AMOUNT = sql<string>`cast(amount_e4 as text)`;
export const BALANCE = sql<string>`cast(balance_e4 as text)`;

function selectEntries(database: Database, accountId: string) {
  return database
    .selectFrom("ledger_entry")
    .select(["reference", AMOUNT.as("amount"), "note", "created_at as createdAt", BALANCE.as("balance")])
    .where("account_id", "=", accountId);
}

function toEntry({
  amount,
  balance,
  ...row
}: Record<"reference" | "amount" | "note" | "createdAt" | "balance", string>) {
  return { ...row, amountE4: BigInt(amount), balanceE4: BigInt(balance) };
}
