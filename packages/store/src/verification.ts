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
import { AMOUNT, BALANCE, CreditStore } from "./credit.store.js";
import { OFFER_COLUMNS, toStoredOffer, type StoredOffer } from "./offer-row.js";
import { compareMigrations } from "./migrations.js";
import type { Tables } from "./tables.js";

// Reads the accounts, the ledger and the catalog, and checks them against the rules they were written by. The structural
// checks cover all tables.

export const checkResultSchema = z.strictObject({
  check: z.string(),
  count: z.int().describe("number of items checked"),
  problems: z.int(),
  first: z.array(z.string()).describe("the first problems"),
});
export type CheckResult = z.output<typeof checkResultSchema>;

const FIRST_PROBLEMS = 5;

/** What a part of a check finds: the problems of each item it has seen, or a problem beside them. */
type Found = AsyncGenerator<readonly string[] | string>;

/** A part of a check. Read errors are reported with the part's name. */
type Part = readonly [what: string, run: (database: Database, before: Omit<CheckResult, "check">) => Found];

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
      const result: CheckResult = { check, count: 0, problems: 0, first: [] };
      const add = (problem: string): void => {
        if (++result.problems <= FIRST_PROBLEMS) {
          result.first.push(problem);
        }
      };
      for (const [what, run] of parts) {
        // PostgreSQL aborts the whole transaction after an error, unless there is a savepoint to roll back to.
        await sql`savepoint part`.execute(transaction);
        try {
          for await (const found of run(transaction, result)) {
            result.count += typeof found === "string" ? 0 : 1;
            [found].flat().forEach(add);
          }
        } catch (error) {
          add(`${what} cannot be read: ${reasonOf(error)}`);
          // Without the transaction, such as after the log was removed, nothing further can be read.
          await sql`rollback to savepoint part`.execute(transaction).catch(() => {
            throw error;
          });
        }
        await sql`release savepoint part`.execute(transaction);
      }
      results.push(result);
    }
    return results;
  });
}

/** Those of some possible problems that there are. */
function actual(...problems: (string | false | undefined)[]): string[] {
  return problems.filter((problem) => typeof problem === "string");
}

async function* checkStructure(database: Database): Found {
  yield* (await database.introspection.getTables()).map(() => []);
  const { rows } = await kindOf(database).problems.execute(database);
  yield* rows.map(({ problem }) => problem);
}

/** Checks that the tables are of this version. They aren't migrated, since the database may be a read-only copy. */
async function* checkVersion(database: Database): Found {
  const { missing, unknown } = await compareMigrations(database);
  yield* actual(
    missing.length > 0 && `pending migrations: ${missing.join(", ")}; start the service to apply them`,
    unknown.length > 0 && `migrations of a newer version: ${unknown.join(", ")}`,
  );
}

async function* checkAccounts(database: Database): Found {
  for await (const account of database.selectFrom("account").selectAll().stream()) {
    const { id, email, email_key } = account;
    yield actual(
      issueOf(accountSchema, account),
      email_key !== emailKey(email) && `${email} would be looked up as ${email_key}`,
    ).map((problem) => `account ${id}: ${problem}`);
  }
}

async function* checkKeys(database: Database): Found {
  for await (const { id, hash } of database.selectFrom("api_key").select(["id", "hash"]).stream()) {
    yield actual(!/^[0-9a-f]{64}$/.test(hash) && `key ${id}: its hash is not a SHA-256 hash`);
  }
}

async function* checkLedger(database: Database): Found {
  const balances = new Map<string, bigint>();
  const entries = database
    .selectFrom("ledger_entry")
    .select(["id", "account_id", "reference", AMOUNT.as("amount"), BALANCE.as("stated")])
    .orderBy("id")
    .stream();
  for await (const { id, account_id, reference, amount, stated } of entries) {
    const balance = (balances.get(account_id) ?? 0n) + BigInt(amount);
    balances.set(account_id, balance);
    yield actual(
      (balance < 0n || balance > MAX_AMOUNT_E4) && `took account ${account_id} to ${formatAmount(balance)} USD`,
      BigInt(stated) !== balance &&
        `has the balance ${formatAmount(BigInt(stated))} USD for account ${account_id}, not ${formatAmount(balance)}`,
    ).map((problem) => `entry ${id} (${reference}) ${problem}`);
  }
}

/** Checks that each balance is the sum of the account's entries. */
async function* checkBalances(database: Database): Found {
  const sums = await new CreditStore(database).sumByAccount();
  for (const { id } of await database.selectFrom("account").select("id").orderBy("id").execute()) {
    const balance = await new CreditStore(database).getBalance(id);
    const sum = sums.get(id) ?? 0n;
    const stated = `account ${id} has ${formatAmount(balance)} USD`;
    yield actual(
      balance !== sum && `${stated}, but its entries add up to ${formatAmount(sum)} USD`,
      balance < 0n && stated,
    );
  }
}

async function* checkProviders(database: Database): Found {
  for (const { name, type } of await database.selectFrom("provider").selectAll().orderBy("name").execute()) {
    yield actual(issueOf(publishedProviderSchema, { name, type })).map((problem) => `provider ${name}: ${problem}`);
  }
}

async function* checkOffers(database: Database): Found {
  for await (const row of database.selectFrom("offer").selectAll().stream()) {
    yield actual(findOfferProblem(row)).map((problem) => `offer ${row.id}: ${problem}`);
  }
}

async function* checkRevision(database: Database, { count }: Omit<CheckResult, "check">): Found {
  if (count > 0 && (await findRevision(database)) === undefined) {
    yield "there are offers but no revision, so services do not see them";
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

async function* checkImages(database: Database): Found {
  for await (const { provider, id, body, instance_types } of database.selectFrom("os_image").selectAll().stream()) {
    const result = publishedOsImageSchema.safeParse(parseJson(body));
    yield actual(
      result.success ? result.data.id !== id && `its body has the id ${result.data.id}` : firstIssue(result.error),
      !z.array(z.string()).safeParse(parseJson(instance_types)).success &&
        "its instance types are not a list of strings",
    ).map((problem) => `image ${id} of ${provider}: ${problem}`);
  }
}

async function* checkDefaults(database: Database, { problems }: Omit<CheckResult, "check">): Found {
  // Unreadable bodies are already reported above.
  for (const { name, images } of problems > 0 ? [] : await listProviders(database)) {
    const defaults = images.filter(({ isDefault }) => isDefault).length;
    yield* actual(images.length > 0 && defaults !== 1 && `provider ${name} has ${defaults} default images, not one`);
  }
}

/** Finds dangling references. The database rejects them unless its constraints were turned off. */
function references(table: keyof Tables, column: string, parent: keyof Tables, key: string): Part {
  return [
    `table ${table} or ${parent}`,
    async function* (database) {
      const { rows } = await sql<{ value: string; count: number }>`
        select ${sql.ref(column)} as value, count(*) as count from ${sql.table(table)}
        where ${sql.ref(column)} not in (select ${sql.ref(key)} from ${sql.table(parent)})
        group by ${sql.ref(column)} order by ${sql.ref(column)}`.execute(database);
      yield* rows.map(({ value, count }) => `rows of ${table} with the missing ${parent} ${value}: ${count}`);
    },
  ];
}

function issueOf(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  return error && firstIssue(error);
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
