import type { Command } from "commander";
import { formatAmount } from "@gpu-offers/domain";
import { ConfigError, readConfig } from "../config.js";
import { openDatabase, type Database } from "../store/database.js";
import { copyDatabase, CopyRefusal, type CopyReport } from "../store/database-copy.js";
import { NoDatabaseError } from "../store/database-error.js";
import { nameOf } from "../store/database-url.js";
import { CommandFailure } from "./command-failure.js";
import { print } from "./output.js";
import { formatTable } from "./table.js";

interface Options {
  from: string;
  to: string;
  json?: true;
}

/** `database copy`: moves an installation to another database. */
export function addDatabaseCopy(program: Command): void {
  const database = program.command("database").description("the database as a whole").exitOverride();
  database
    .command("copy")
    .description("copy everything into an empty database, and prove that nothing was lost")
    .requiredOption("--from <url>", "the database to read, as DATABASE_URL would name it")
    .requiredOption("--to <url>", "the database to fill; it must be empty")
    .option("--json", "print the proof as JSON")
    .addHelpText(
      "after",
      `
It copies one state, and services may go on: that makes a backup. To move, stop them
first, since what they write afterwards is not copied.

Examples:
  database copy --from sqlite:./data/gpu-offers.sqlite --to sqlite:./backup.sqlite
  database copy --from sqlite:./data/gpu-offers.sqlite --to postgres://offers@db.example.com/offers`,
    )
    .exitOverride()
    .action(run);
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
  print({ from: nameOf(from), to: nameOf(to), tables, accounts, balance: total }, options, () =>
    [
      `Copied ${nameOf(from)} to ${nameOf(to)}. Both hold the same:`,
      "",
      formatTable([
        ["TABLE", "ROWS", "SHA-256 OF ALL ROWS"],
        ...tables.map(({ table, rows, sha256 }) => [table, rows, sha256]),
      ]),
      "",
      `The balances of ${accounts} accounts agree; together they are ${total} USD.`,
    ].join("\n"),
  );
}

async function copy(from: string, to: string): Promise<CopyReport> {
  const source = await openSource(from);
  try {
    const target = await openDatabase(to);
    try {
      return await copyDatabase(source, target);
    } finally {
      await target.destroy();
    }
  } catch (error) {
    throw error instanceof CopyRefusal ? new CommandFailure(`${error.message} Nothing was copied.`) : error;
  } finally {
    await source.destroy();
  }
}

async function openSource(url: string): Promise<Database> {
  try {
    return await openDatabase(url, { isReader: true, mustExist: true });
  } catch (error) {
    throw error instanceof NoDatabaseError
      ? new CommandFailure(`there is no gpu-offers database ${nameOf(url)}; --from names the one to read.`)
      : error;
  }
}

/** Not left to the parser of the options, which would print the text with its password. */
function checkedUrl(option: string, text: string): string {
  try {
    // An empty text would mean the default database.
    return readConfig({ DATABASE_URL: text === "" ? "none" : text }).DATABASE_URL;
  } catch (error) {
    if (error instanceof ConfigError) {
      throw new CommandFailure(
        `${option} must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>.`,
        2,
      );
    }
    throw error;
  }
}
