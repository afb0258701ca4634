import { formatAmount, MAX_AMOUNT_E4 } from "@gpu-offers/domain";
import * as z from "zod";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { getAccount } from "./account-commands.js";
import { withDatabase, withSnapshot } from "./admin-database.js";
import { CommandFailure, type AdminCommand, type Outcome } from "./command.js";
import { invocation } from "./invocation.js";
import { parseCount, parsePlainText, parsePositive, parseReference } from "./option-values.js";
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

interface EntryOptions {
  account: string;
  amount: bigint;
  reference: string;
  note?: string;
}

/** `credit add|debit|history`. */
export function addCreditCommands(program: AdminCommand): void {
  const credit = program.command("credit").description("Manage prepaid credit");
  for (const [name, sign, description, example] of [
    ["add", 1n, "Add credit to an account", "invoice-17"],
    ["debit", -1n, "Debit an account; its balance cannot become negative", "job-4711"],
  ] as const) {
    credit
      .command(name)
      .description(description)
      .requiredOption("--account <account>", "id or email address of the account")
      .requiredOption("--amount <usd>", "amount in USD, such as 25.00, with up to 4 decimals", parsePositive)
      .requiredOption("--reference <text>", "your unique ID for this entry; reusing it has no effect", parseReference)
      .option("--note <text>", "free-text note", parsePlainText)
      .examples(`gpu-offers-admin credit ${name} --account ada@example.com --amount 25.00 --reference ${example}`)
      .prints(creditEntryJson, (options: EntryOptions) => addEntry(options, sign));
  }
  credit
    .command("history")
    .description("List an account's ledger entries and balances, oldest first")
    .requiredOption("--account <account>", "id or email address of the account")
    .option("--limit <number>", "show only this many of the latest entries", parseCount)
    .option("--before <reference>", "only entries before the one with this reference", parseReference)
    .examples(
      "gpu-offers-admin credit history --account ada@example.com --limit 20",
      "gpu-offers-admin credit history --account ada@example.com --limit 20 --before invoice-17",
    )
    .prints(creditHistoryJson, showHistory);
}

async function addEntry(options: EntryOptions, sign: bigint): Promise<Outcome<z.input<typeof creditEntryJson>>> {
  const { reference, note = "" } = options;
  const result = await withDatabase(async (database) => {
    const { id } = await getAccount(database, options.account);
    return new CreditStore(database).add(id, { reference, amountE4: sign * options.amount, note });
  });
  const balance = formatAmount(result.balanceE4);
  const given = formatAmount(options.amount);
  if (result.outcome === "insufficient") {
    throw new CommandFailure(`the balance is ${balance} USD, which is less than ${given} USD. Nothing was changed.`);
  }
  if (result.outcome === "excessive") {
    throw new CommandFailure(
      `the balance would exceed the maximum of ${formatAmount(MAX_AMOUNT_E4)} USD (now ${balance} USD). Nothing was changed.`,
    );
  }
  const { outcome, entry } = result;
  const amount = formatAmount(entry.amountE4);
  if (outcome === "conflict") {
    throw new CommandFailure(
      `the reference ${reference} was used on ${entry.createdAt} for ${amount} USD. Nothing was changed.`,
    );
  }
  const done =
    outcome === "added"
      ? `${sign > 0n ? "Added" : "Debited"} ${given} USD (${reference}).`
      : `${reference} was already recorded on ${entry.createdAt}; nothing was changed.`;
  return {
    json: { outcome, reference, amount, balance, created_at: entry.createdAt },
    done: `${done} The balance is ${balance} USD.`,
  };
}

async function showHistory({ account, limit, before }: { account: string; limit?: number; before?: string }) {
  const history = await withSnapshot(async (database) => {
    const { id, email } = await getAccount(database, account);
    const ledger = new CreditStore(database);
    if (before !== undefined && (await ledger.find(id, before)) === undefined) {
      throw new CommandFailure(
        `account ${email} has no entry ${before}. List all entries: ${invocation("credit", "history", "--account", email)}`,
      );
    }
    const entries = await ledger.list(id, {
      // Fetch one more to know whether there are earlier entries.
      ...(limit !== undefined && { limit: limit + 1 }),
      ...(before !== undefined && { before }),
    });
    return { entries, balanceE4: await ledger.getBalance(id) };
  });
  const has_earlier = limit !== undefined && history.entries.length > limit;
  const entries = history.entries
    .slice(has_earlier ? 1 : 0)
    .map(({ reference, amountE4, balanceE4, note, createdAt }) => ({
      reference,
      amount: formatAmount(amountE4),
      balance: formatAmount(balanceE4),
      note,
      created_at: createdAt,
    }));
  const balance = formatAmount(history.balanceE4);
  const columns = {
    CREATED: "created_at",
    AMOUNT: "amount",
    BALANCE: "balance",
    REFERENCE: "reference",
    NOTE: "note",
  } as const;
  const oldest = entries[0]?.reference ?? "";
  const earlier = ["credit", "history", "--account", account, "--limit", `${limit}`, "--before", oldest];
  const text = [
    formatTable(columns, entries, ["NOTE"]),
    "",
    ...(has_earlier ? [`Earlier entries: ${invocation(...earlier)}`] : []),
    `Balance ${balance} USD`,
  ].join("\n");
  return { json: { entries, has_earlier, balance }, text };
}
