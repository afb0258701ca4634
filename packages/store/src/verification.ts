import {
  accountSchema,
  formatAmount,
  listingFactsSchema,
  MAX_AMOUNT_E4,
  publishedOfferSchema,
  publishedOsImageSchema,
  publishedProviderSchema,
  reasonOf,
} from "@gpu-offers/domain";
import { sql } from "kysely";
import * as z from "zod";
import { emailKey } from "./account.store.js";
import { findRevision, listProviders } from "./catalog.store.js";
import { kindOf, readSnapshot, type Database } from "./database.js";
import { CreditStore } from "./credit.store.js";
import { OFFER_COLUMNS, toStoredOffer, type StoredOffer } from "./offer-row.js";
import { compareMigrations } from "./migrations.js";
import type { Tables } from "./tables.js";

// Reads the accounts, the ledger and the catalog, and checks them against the rules they were written by. The structural
// checks cover all tables.

/** Result of a check. */
export interface CheckResult {
  check: string;
  /** Number of items checked. */
  count: number;
  problems: number;
  /** Descriptions of the first problems. */
  first: string[];
}

const FIRST_PROBLEMS = 5;

/** A part of a check. Read errors are reported with the part's name. */
type Part = readonly [what: string, run: (database: Database, findings: Findings) => Promise<void>];

const CHECKS: readonly (readonly [check: string, ...parts: Part[]])[] = [
  ["database", ["the database's own structures", checkStructure], ["table kysely_migration", checkVersion]],
  ["accounts", ["table account", checkAccounts]],
  ["API keys", ["table api_key", checkKeys], references("api_key", "account_id", "account", "id")],
  ["ledger entries", ["table ledger_entry", checkLedger], references("ledger_entry", "account_id", "account", "id")],
  ["balances", ["table ledger_entry", checkBalances]],
  ["providers", ["table provider", checkProviders]],
  [
    "offers",
    ["table offer", checkOffers],
    references("offer", "provider", "provider", "name"),
    ["table catalog_revision", checkRevision],
  ],
  [
    "images",
    ["table os_image", checkImages],
    references("os_image", "provider", "provider", "name"),
    ["table os_image", checkDefaults],
  ],
];

/**
 * Runs all checks on one consistent snapshot of the database, and changes nothing. Parts are independent: if one can't
 * be read because a page is damaged, that is a problem that names the table.
 */
export async function verifyDatabase(database: Database): Promise<CheckResult[]> {
  return readSnapshot(database, async (transaction) => {
    const results: CheckResult[] = [];
    for (const [check, ...parts] of CHECKS) {
      const findings = new Findings();
      for (const [what, run] of parts) {
        // PostgreSQL aborts the whole transaction after an error, unless there is a savepoint to roll back to.
        await sql`savepoint part`.execute(transaction);
        try {
          await run(transaction, findings);
        } catch (error) {
          findings.problem(`${what} cannot be read: ${reasonOf(error)}`);
          // Without the transaction, such as after the log was removed, nothing further can be read.
          await sql`rollback to savepoint part`.execute(transaction).catch(() => {
            throw error;
          });
        }
        await sql`release savepoint part`.execute(transaction);
      }
      results.push({ check, ...findings.result });
    }
    return results;
  });
}

/** Collects the findings of a check. */
class Findings {
  readonly result: Omit<CheckResult, "check"> = { count: 0, problems: 0, first: [] };

  seen(count = 1): void {
    this.result.count += count;
  }

  problem(text: string): void {
    if (++this.result.problems <= FIRST_PROBLEMS) {
      this.result.first.push(text);
    }
  }
}

/** The database's own structures. */
async function checkStructure(database: Database, findings: Findings): Promise<void> {
  findings.seen((await database.introspection.getTables()).length);
  const { rows } = await kindOf(database).problems.execute(database);
  for (const { problem } of rows) {
    findings.problem(problem);
  }
}

/** Checks that the tables are of this version. They aren't migrated, since the database may be a read-only copy. */
async function checkVersion(database: Database, findings: Findings): Promise<void> {
  const { missing, unknown } = await compareMigrations(database);
  if (missing.length > 0) {
    findings.problem(`pending migrations: ${missing.join(", ")}; start the service to apply them`);
  }
  if (unknown.length > 0) {
    findings.problem(`migrations of a newer version: ${unknown.join(", ")}`);
  }
}

async function checkAccounts(database: Database, findings: Findings): Promise<void> {
  for await (const account of database.selectFrom("account").selectAll().stream()) {
    findings.seen();
    const { email, email_key } = account;
    const result = accountSchema.safeParse(account);
    if (!result.success) {
      findings.problem(`account ${account.id}: ${firstIssue(result.error)}`);
    }
    if (email_key !== emailKey(email)) {
      findings.problem(`account ${account.id}: ${email} would be looked up as ${email_key}`);
    }
  }
}

async function checkKeys(database: Database, findings: Findings): Promise<void> {
  for await (const { id, hash } of database.selectFrom("api_key").select(["id", "hash"]).stream()) {
    findings.seen();
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      findings.problem(`key ${id}: its hash is not a SHA-256 hash`);
    }
  }
}

async function checkLedger(database: Database, findings: Findings): Promise<void> {
  const balances = new Map<string, bigint>();
  const entries = database
    .selectFrom("ledger_entry")
    .select([
      "id",
      "account_id",
      "reference",
      sql<string>`cast(amount_e4 as text)`.as("amount"),
      sql<string>`cast(balance_e4 as text)`.as("stated"),
    ])
    .orderBy("id")
    .stream();
  for await (const { id, account_id, reference, amount, stated } of entries) {
    findings.seen();
    const balance = (balances.get(account_id) ?? 0n) + BigInt(amount);
    balances.set(account_id, balance);
    if (balance < 0n || balance > MAX_AMOUNT_E4) {
      findings.problem(`entry ${id} (${reference}) took account ${account_id} to ${formatAmount(balance)} USD`);
    }
    if (BigInt(stated) !== balance) {
      findings.problem(
        `entry ${id} (${reference}) has the balance ${formatAmount(BigInt(stated))} USD for account ${account_id}, not ${formatAmount(balance)}`,
      );
    }
  }
}

/** Checks that each balance is the sum of the account's entries. */
async function checkBalances(database: Database, findings: Findings): Promise<void> {
  const sums = await new CreditStore(database).sumByAccount();
  for (const { id } of await database.selectFrom("account").select("id").orderBy("id").execute()) {
    findings.seen();
    const balance = await new CreditStore(database).getBalance(id);
    const sum = sums.get(id) ?? 0n;
    if (balance !== sum) {
      findings.problem(
        `account ${id} has ${formatAmount(balance)} USD, but its entries add up to ${formatAmount(sum)} USD`,
      );
    }
    if (balance < 0n) {
      findings.problem(`account ${id} has ${formatAmount(balance)} USD`);
    }
  }
}

async function checkProviders(database: Database, findings: Findings): Promise<void> {
  for (const { name, type } of await database.selectFrom("provider").selectAll().orderBy("name").execute()) {
    findings.seen();
    const result = publishedProviderSchema.safeParse({ name, type });
    if (!result.success) {
      findings.problem(`provider ${name}: ${firstIssue(result.error)}`);
    }
  }
}

async function checkOffers(database: Database, findings: Findings): Promise<void> {
  for await (const row of database.selectFrom("offer").selectAll().stream()) {
    findings.seen();
    const problem = findOfferProblem(row);
    if (problem !== undefined) {
      findings.problem(`offer ${row.id}: ${problem}`);
    }
  }
}

async function checkRevision(database: Database, findings: Findings): Promise<void> {
  if (findings.result.count > 0 && (await findRevision(database)) === undefined) {
    findings.problem("there are offers but no revision, so services do not see them");
  }
}

function findOfferProblem(row: StoredOffer): string | undefined {
  const json = parseJson(row.body);
  const result = publishedOfferSchema.safeParse(json);
  if (!result.success) {
    return json === undefined ? "its body is not JSON" : firstIssue(result.error);
  }
  const facts = listingFactsSchema.nullable().safeParse(row.listing === null ? null : (parseJson(row.listing) ?? {}));
  if (!facts.success) {
    return `its facts are not valid: ${firstIssue(facts.error)}`;
  }
  const expected = toStoredOffer(result.data, row.scope, facts.data ?? undefined);
  const wrong = OFFER_COLUMNS.find((column) => column !== "body" && row[column] !== expected[column]);
  return wrong && `its column ${wrong} is ${row[wrong]}, its body says ${expected[wrong]}`;
}

async function checkImages(database: Database, findings: Findings): Promise<void> {
  for await (const { provider, id, body, instance_types } of database.selectFrom("os_image").selectAll().stream()) {
    findings.seen();
    const result = publishedOsImageSchema.safeParse(parseJson(body));
    if (!result.success) {
      findings.problem(`image ${id} of ${provider}: ${firstIssue(result.error)}`);
    } else if (result.data.id !== id) {
      findings.problem(`image ${id} of ${provider}: its body has the id ${result.data.id}`);
    }
    if (!z.array(z.string()).safeParse(parseJson(instance_types)).success) {
      findings.problem(`image ${id} of ${provider}: its instance types are not a list of strings`);
    }
  }
}

async function checkDefaults(database: Database, findings: Findings): Promise<void> {
  // Unreadable bodies are already reported above.
  for (const { name, images } of findings.result.problems > 0 ? [] : await listProviders(database)) {
    const defaults = images.filter(({ image }) => image.isDefault).length;
    if (images.length > 0 && defaults !== 1) {
      findings.problem(`provider ${name} has ${defaults} default images, not one`);
    }
  }
}

/** Finds dangling references. The database rejects them unless its constraints were turned off. */
function references(table: keyof Tables, column: string, parent: keyof Tables, key: string): Part {
  return [
    `table ${table} or ${parent}`,
    async (database, findings) => {
      const { rows } = await sql<{ value: string; count: number }>`
        select ${sql.ref(column)} as value, count(*) as count from ${sql.table(table)}
        where ${sql.ref(column)} not in (select ${sql.ref(key)} from ${sql.table(parent)})
        group by ${sql.ref(column)} order by ${sql.ref(column)}`.execute(database);
      for (const { value, count } of rows) {
        findings.problem(`rows of ${table} with the missing ${parent} ${value}: ${count}`);
      }
    },
  ];
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join(".") ?? ""} ${issue?.message ?? "is invalid"}`.trim();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
