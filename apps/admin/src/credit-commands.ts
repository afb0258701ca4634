import { InvalidArgumentError, type Command } from "commander";
import { formatAmount, MAX_AMOUNT_E4, parseAmount, reasonOf } from "@gpu-offers/domain";
import * as z from "zod";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { getAccount } from "./account-commands.js";
import { withDatabase, withSnapshot } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { invocation } from "./invocation.js";
import { print, printDone } from "./output.js";
import { parsePlainText } from "./plain-text.js";
import { formatTable } from "./table.js";

const creditEntryJson = z.strictObject({
  outcome: z.enum(["added", "repeated"]).describe("repeated: the entry already existed; nothing was changed"),
  reference: z.string(),
  amount: z.string().describe("USD with 4 decimals; negative for a debit"),
  balance: z.string().describe("current balance, USD with 4 decimals"),
  created_at: z.iso.datetime(),
});

const creditHistoryJson = z.strictObject({
  entries: z.array(
    z.strictObject({
      reference: z.string(),
      amount: z.string(),
      balance: z.string().describe("balance after this entry, USD with 4 decimals"),
      note: z.string(),
      created_at: z.iso.datetime(),
    }),
  ),
  has_earlier: z.boolean(),
  balance: z.string(),
});

interface EntryOptions extends JsonOption {
  account: string;
  amount: bigint;
  reference: string;
  note?: string;
}

/** `credit add|debit|history`. */
export function addCreditCommands(program: Command): void {
  const credit = program.command("credit").description("Manage prepaid credit");
  for (const [name, sign, description, example] of [
    ["add", 1n, "Add credit to an account", "invoice-17"],
    ["debit", -1n, "Debit an account; its balance cannot become negative", "job-4711"],
  ] as const) {
    addUsage(
      credit
        .command(name)
        .description(description)
        .requiredOption("--account <account>", "id or email address of the account")
        .requiredOption("--amount <usd>", "amount in USD, such as 25.00, with up to 4 decimals", parsePositive)
        .requiredOption("--reference <text>", "your unique ID for this entry; reusing it has no effect", parseReference)
        .option("--note <text>", "free-text note", parsePlainText),
      {
        json: creditEntryJson,
        examples: [`gpu-offers-admin credit ${name} --account ada@example.com --amount 25.00 --reference ${example}`],
      },
    ).action((options: EntryOptions) => addEntry(options, sign));
  }
  addUsage(
    credit
      .command("history")
      .description("List an account's ledger entries and balances, oldest first")
      .requiredOption("--account <account>", "id or email address of the account")
      .option("--limit <number>", "show only this many of the latest entries", parseLimit)
      .option("--before <reference>", "only entries before the one with this reference", parseReference),
    {
      json: creditHistoryJson,
      examples: [
        "gpu-offers-admin credit history --account ada@example.com --limit 20",
        "gpu-offers-admin credit history --account ada@example.com --limit 20 --before invoice-17",
      ],
    },
  ).action(showHistory);
}

async function addEntry(options: EntryOptions, sign: bigint): Promise<void> {
  const { reference, note = "" } = options;
  const result = await withDatabase(async (database) => {
    const { id } = await getAccount(database, options.account);
    return new CreditStore(database).add(id, { reference, amountE4: sign * options.amount, note });
  });
  const balance = formatAmount(result.balanceE4);
  if (result.outcome === "insufficient") {
    throw new CommandFailure(
      `the balance is ${balance} USD, which is less than ${formatAmount(options.amount)} USD. Nothing was changed.`,
    );
  }
  if (result.outcome === "excessive") {
    throw new CommandFailure(
      `the balance would exceed the maximum of ${formatAmount(MAX_AMOUNT_E4)} USD (now ${balance} USD). Nothing was changed.`,
    );
  }
  const amount = formatAmount(result.entry.amountE4);
  if (result.outcome === "conflict") {
    throw new CommandFailure(
      `the reference ${reference} was used on ${result.entry.createdAt} for ${amount} USD. Nothing was changed.`,
    );
  }
  const { outcome } = result;
  const done =
    outcome === "added"
      ? `${sign > 0n ? "Added" : "Debited"} ${formatAmount(options.amount)} USD (${reference}). The balance is ${balance} USD.`
      : `${reference} was already recorded on ${result.entry.createdAt}; nothing was changed. The balance is ${balance} USD.`;
  await printDone(
    creditEntryJson,
    { outcome, reference, amount, balance, created_at: result.entry.createdAt },
    options,
    done,
  );
}

interface HistoryOptions extends JsonOption {
  account: string;
  limit?: number;
  before?: string;
}

async function showHistory(options: HistoryOptions): Promise<void> {
  const { limit, before } = options;
  const history = await withSnapshot(async (database) => {
    const { id, email } = await getAccount(database, options.account);
    if (before !== undefined && (await new CreditStore(database).find(id, before)) === undefined) {
      throw new CommandFailure(
        `account ${email} has no entry ${before}. List all entries: ${invocation("credit", "history", "--account", email)}`,
      );
    }
    const entries = await new CreditStore(database).list(id, {
      // Fetch one more to know whether there are earlier entries.
      ...(limit === undefined ? {} : { limit: limit + 1 }),
      ...(before === undefined ? {} : { before }),
    });
    return { entries, balanceE4: await new CreditStore(database).getBalance(id) };
  });
  const hasEarlier = limit !== undefined && history.entries.length > limit;
  const entries = history.entries
    .slice(hasEarlier ? 1 : 0)
    .map(({ reference, amountE4, balanceE4, note, createdAt }) => ({
      reference,
      amount: formatAmount(amountE4),
      balance: formatAmount(balanceE4),
      note,
      created_at: createdAt,
    }));
  const balance = formatAmount(history.balanceE4);
  await print(creditHistoryJson, { entries, has_earlier: hasEarlier, balance }, options, () =>
    [
      formatTable(
        { CREATED: "created_at", AMOUNT: "amount", BALANCE: "balance", REFERENCE: "reference", NOTE: "note" },
        entries,
        ["NOTE"],
      ),
      "",
      ...(hasEarlier ? [`Earlier entries: ${earlierEntries(options, entries[0]?.reference ?? "")}`] : []),
      `Balance ${balance} USD`,
    ].join("\n"),
  );
}

function earlierEntries({ account, limit = 1 }: HistoryOptions, before: string): string {
  return invocation("credit", "history", "--account", account, "--limit", String(limit), "--before", before);
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new InvalidArgumentError("It must be a whole number from 1 to 999999.");
  }
  return Number(text);
}

function parsePositive(text: string): bigint {
  const amountE4 = readAmount(text);
  if (amountE4 <= 0n) {
    throw new InvalidArgumentError("It must be positive: credit add raises the balance, and credit debit lowers it.");
  }
  return amountE4;
}

function readAmount(text: string): bigint {
  try {
    return parseAmount(text);
  } catch (error) {
    throw new InvalidArgumentError(reasonOf(error));
  }
}

function parseReference(text: string): string {
  if (!/^[\x21-\x7e]{1,128}$/.test(text)) {
    throw new InvalidArgumentError("It must have 1 to 128 visible ASCII characters, without spaces.");
  }
  return text;
}
