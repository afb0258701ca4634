import type { Command } from "commander";
import { formatAmount } from "@gpu-offers/domain";
import * as z from "zod";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import { copyDatabase, DatabaseCopyError, type CopyReport, type TableDigest } from "@gpu-offers/store/database-copy";
import { NoDatabaseError } from "@gpu-offers/store/database-error";
import { nameOf } from "@gpu-offers/store/database-url";
import { withUrl } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { withDecompressed } from "./compressed-file.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { counted } from "./counted.js";
import { print } from "./output.js";
import { formatTable } from "./table.js";

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

interface Options extends JsonOption {
  from: string;
  to: string;
}

/** `database copy`: copies an installation to another database. */
export function addDatabaseCopy(program: Command): void {
  const database = program.command("database").description("Copy databases");
  addUsage(
    database
      .command("copy")
      .description("Copy all data to an empty database and verify it")
      .requiredOption("--from <url>", "source database, in DATABASE_URL format, or env:NAME")
      .requiredOption("--to <url>", "target database, which must be empty, or env:NAME"),
    {
      json: databaseCopyJson,
      notes: `The copy is a consistent snapshot, even while services are running, so it can serve
as a backup. Before migrating to another database, stop all services: later writes
are not copied. A source that ends with .gz is a compressed backup.

env:NAME is the URL in the environment variable NAME. Other users can see the arguments
of a process, so use it for a URL with a password.`,
      examples: [
        "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to sqlite:./backup.sqlite",
        "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to postgres://offers@db.example.com/offers",
        "gpu-offers-admin database copy --from sqlite:./data/gpu-offers.sqlite --to env:NEW_DATABASE_URL",
      ],
    },
  ).action(run);
}

async function run(options: Options): Promise<void> {
  const from = checkedUrl("--from", options.from);
  const to = checkedUrl("--to", options.to);
  if (nameOf(from) === nameOf(to)) {
    throw new CommandFailure("--from and --to are the same database.", 2);
  }
  const report = await copy(from, to);
  const { tables, accounts, balanceE4 } = report;
  const total = formatAmount(balanceE4);
  const done = `Copied ${nameOf(from)} to ${nameOf(to)}.`;
  await print(
    databaseCopyJson,
    { from: nameOf(from), to: nameOf(to), tables: tables.map(toJson), accounts, balance: total },
    options,
    () =>
      [
        `${done} Both databases are identical:`,
        "",
        formatTable({ TABLE: "table", ROWS: "rows", "SHA-256 OF ALL ROWS": "sha256" }, tables),
        "",
        `The balances of ${counted(accounts, "account")} match; their sum is ${total} USD.`,
      ].join("\n"),
    done,
  );
}

function toJson({ lastNumber, ...table }: TableDigest) {
  return { ...table, ...(lastNumber === undefined ? {} : { last_number: lastNumber }) };
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
