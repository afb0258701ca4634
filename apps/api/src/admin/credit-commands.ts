import { InvalidArgumentError, type Command } from "commander";
import { formatAmount, MAX_AMOUNT_E4, parseAmount } from "@gpu-offers/domain";
import { addLedgerEntry, findLedgerEntry, getBalance, listLedgerEntries } from "../store/ledger.store.js";
import { getAccount } from "./account-commands.js";
import { withDatabase, withSnapshot } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { print } from "./output.js";
import { parsePlainText } from "./plain-text.js";
import { formatTable } from "./table.js";

interface EntryOptions {
  account: string;
  amount: bigint;
  reference: string;
  note?: string;
  json?: true;
}

/** `credit add|debit|history`. */
export function addCreditCommands(program: Command): void {
  const credit = program.command("credit").description("the prepaid credit of accounts").exitOverride();
  for (const [name, sign, description, example] of [
    ["add", 1n, "add credit to an account", "invoice-17"],
    ["debit", -1n, "take credit from an account; never below zero", "job-4711"],
  ] as const) {
    credit
      .command(name)
      .description(description)
      .requiredOption("--account <account>", "id or e-mail address of the account")
      .requiredOption("--amount <usd>", "dollars, such as 25.00, with at most 4 decimals", parsePositive)
      .requiredOption(
        "--reference <text>",
        "your own name of this entry; the same one again changes nothing",
        parseReference,
      )
      .option("--note <text>", "for people", parsePlainText)
      .option("--json", "print the entry as JSON")
      .exitOverride()
      .addHelpText(
        "after",
        `\nExample:\n  credit ${name} --account ada@example.com --amount 25.00 --reference ${example}`,
      )
      .action((options: EntryOptions) => addEntry(options, sign));
  }
  credit
    .command("history")
    .description("entries of an account with the balance after each, the oldest first")
    .requiredOption("--account <account>", "id or e-mail address of the account")
    .option("--limit <number>", "only the last so many of them", parseLimit)
    .option("--before <reference>", "only those before the entry with this reference", parseReference)
    .option("--json", "print them as JSON")
    .addHelpText(
      "after",
      `
Examples:
  credit history --account ada@example.com --limit 20
  credit history --account ada@example.com --limit 20 --before invoice-17`,
    )
    .exitOverride()
    .action(showHistory);
}

async function addEntry(options: EntryOptions, sign: bigint): Promise<void> {
  const { reference, note = "" } = options;
  const result = await withDatabase(async (database) => {
    const { id } = await getAccount(database, options.account);
    return addLedgerEntry(database, id, { reference, amountE4: sign * options.amount, note });
  });
  const balance = formatAmount(result.balanceE4);
  if (result.outcome === "insufficient") {
    throw new CommandFailure(
      `the balance is ${balance} USD, less than ${formatAmount(options.amount)}; nothing was taken.`,
    );
  }
  if (result.outcome === "excessive") {
    throw new CommandFailure(
      `the balance is ${balance} USD, and at most ${formatAmount(MAX_AMOUNT_E4)} can be kept; nothing was added.`,
    );
  }
  const amount = formatAmount(result.entry.amountE4);
  if (result.outcome === "conflict") {
    throw new CommandFailure(
      `the reference ${reference} was used on ${result.entry.createdAt} for ${amount} USD; nothing was changed.`,
    );
  }
  print({ outcome: result.outcome, reference, amount, balance, createdAt: result.entry.createdAt }, options, () =>
    result.outcome === "added"
      ? `Entered ${amount} USD as ${reference}. The balance is ${balance} USD.`
      : `${reference} was entered on ${result.entry.createdAt} already; nothing was changed. The balance is ${balance} USD.`,
  );
}

interface HistoryOptions {
  account: string;
  limit?: number;
  before?: string;
  json?: true;
}

async function showHistory(options: HistoryOptions): Promise<void> {
  const { limit, before } = options;
  const history = await withSnapshot(async (database) => {
    const { id, email } = await getAccount(database, options.account);
    if (before !== undefined && (await findLedgerEntry(database, id, before)) === undefined) {
      throw new CommandFailure(`account ${email} has no entry ${before}; credit history without --before shows all.`);
    }
    const entries = await listLedgerEntries(database, id, {
      // One more tells whether there are any.
      ...(limit === undefined ? {} : { limit: limit + 1 }),
      ...(before === undefined ? {} : { before }),
    });
    return { entries, balanceE4: await getBalance(database, id) };
  });
  const hasEarlier = limit !== undefined && history.entries.length > limit;
  const entries = history.entries
    .slice(hasEarlier ? 1 : 0)
    .map(({ reference, amountE4, balanceE4, note, createdAt }) => ({
      reference,
      amount: formatAmount(amountE4),
      balance: formatAmount(balanceE4),
      note,
      createdAt,
    }));
  const balance = formatAmount(history.balanceE4);
  print({ entries, hasEarlier, balance }, options, () =>
    [
      formatTable([
        ["MADE", "AMOUNT", "BALANCE", "REFERENCE", "NOTE"],
        ...entries.map((entry) => [entry.createdAt, entry.amount, entry.balance, entry.reference, entry.note]),
      ]),
      "",
      ...(hasEarlier ? [`There are earlier entries: --before ${entries[0]?.reference}`] : []),
      `Balance ${balance} USD`,
    ].join("\n"),
  );
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new InvalidArgumentError("It is a whole number from 1 to 999999.");
  }
  return Number(text);
}

function parsePositive(text: string): bigint {
  const amountE4 = parsedAmount(text);
  if (amountE4 <= 0n) {
    throw new InvalidArgumentError(
      `It is a number of dollars above 0, such as 25.00, with at most 4 decimals, up to ${formatAmount(MAX_AMOUNT_E4)}.`,
    );
  }
  return amountE4;
}

function parsedAmount(text: string): bigint {
  try {
    return parseAmount(text);
  } catch {
    return 0n;
  }
}

function parseReference(text: string): string {
  if (!/^[\x21-\x7e]{1,128}$/.test(text)) {
    throw new InvalidArgumentError("It has 1 to 128 visible ASCII characters without spaces.");
  }
  return text;
}
