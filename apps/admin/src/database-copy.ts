import { formatAmount } from "@gpu-offers/domain";
import * as z from "zod";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import { copyDatabase, DatabaseCopyError, type CopyReport } from "@gpu-offers/store/database-copy";
import { NoDatabaseError } from "@gpu-offers/store/database-error";
import { nameOf } from "@gpu-offers/store/database-url";
import { withDecompressed, withUrl } from "./admin-database.js";
import { CommandFailure, type AdminCommand } from "./command.js";
import { counted, formatTable } from "./table.js";

const databaseCopyJson = z.strictObject({
  from: z.string(),
  to: z.string(),
  tables: z.array(
    z.strictObject({
      table: z.string(),
      rows: z.int(),
      sha256: z.string().describe("hash of all rows, equal in both databases"),
      last_number: z.int().optional().describe("last assigned row number, in tables with numbered rows"),
    }),
  ),
  accounts: z.int(),
  balance: z.string().describe("sum of all balances, USD with 4 decimals"),
});

/** `database copy`: copies an installation to another database. */
export function addDatabaseCopy(program: AdminCommand): void {
  program
    .command("database")
    .description("Copy databases")
    .command("copy")
    .description("Copy all data to an empty database and verify it")
    .requiredOption("--from <url>", "source database, in DATABASE_URL format, or env:NAME")
    .requiredOption("--to <url>", "target database, which must be empty, or env:NAME")
    .notes(
      `The copy is a consistent snapshot, even while services are running, so it can serve
as a backup. Before migrating to another database, stop all services: later writes
are not copied. A source that ends with .gz is a compressed backup.

env:NAME is the URL in the environment variable NAME. Other users can see the arguments
of a process, so use it for a URL with a password.`,
    )
    .examples(
      "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to sqlite:./backup.sqlite",
      "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to postgres://offers@db.example.com/offers",
      "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to env:NEW_DATABASE_URL",
    )
    .prints(databaseCopyJson, copyInstallation);
}

async function copyInstallation(options: { from: string; to: string }) {
  const from = checkedUrl("--from", options.from);
  const to = checkedUrl("--to", options.to);
  const names = { from: nameOf(from), to: nameOf(to) };
  if (names.from === names.to) {
    throw new CommandFailure("--from and --to are the same database.", 2);
  }
  const { tables, accounts, balanceE4 } = await copy(from, to);
  const balance = formatAmount(balanceE4);
  const done = `Copied ${names.from} to ${names.to}.`;
  const text = [
    `${done} Both databases are identical:`,
    "",
    formatTable({ TABLE: "table", ROWS: "rows", "SHA-256 OF ALL ROWS": "sha256" }, tables),
    "",
    `The balances of ${counted(accounts, "account")} match; their sum is ${balance} USD.`,
  ].join("\n");
  const numbered = tables.map(({ lastNumber, ...table }) => Object.assign(table, { last_number: lastNumber }));
  return { json: { ...names, tables: numbered, accounts, balance }, text, done };
}

/** Copies a database to an empty one. @throws CommandFailure why it was not copied. */
export async function copy(from: string, to: string): Promise<CopyReport> {
  try {
    return await withDecompressed(from, (plain) =>
      withUrl(plain, (source) => withUrl(to, (target) => copyDatabase(source, target)), {
        isReader: true,
        mustExist: true,
      }),
    );
  } catch (error) {
    if (error instanceof NoDatabaseError) {
      throw new CommandFailure(`no gpu-offers database at ${nameOf(from)}. Check --from.`);
    }
    throw error instanceof DatabaseCopyError ? new CommandFailure(`${error.message} Nothing was copied.`) : error;
  }
}

/** Not parsed by Commander, whose error would print the password. */
function checkedUrl(option: string, given: string): string {
  const [, name] = /^env:(\w+)$/.exec(given) ?? [];
  const text = name === undefined ? given : process.env[name];
  if (text === undefined) {
    throw new CommandFailure(`${option}: the environment variable ${name} is not set.`, 2);
  }
  try {
    // An empty URL would select the default database.
    return readSharedSettings({ DATABASE_URL: text === "" ? "none" : text }).DATABASE_URL;
  } catch (error) {
    if (error instanceof ConfigError) {
      throw new CommandFailure(
        `${option} must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>, or env:<variable with such a URL>.`,
        2,
      );
    }
    throw error;
  }
}
