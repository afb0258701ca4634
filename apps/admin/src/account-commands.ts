import { InvalidArgumentError, type Command } from "commander";
import { accountSchema, formatAmount } from "@gpu-offers/domain";
import * as z from "zod";
import { AccountStore, type StoredAccount } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import type { Database } from "@gpu-offers/store/database";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { withDatabase, withNewDatabase, withReader, withSnapshot } from "./admin-database.js";
import { apiKeyJson } from "./api-key-json.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { invocation } from "./invocation.js";
import { print, printDone } from "./output.js";
import { parsePlainText } from "./plain-text.js";
import { formatFields, formatTable } from "./table.js";

const accountJson = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  display_name: z.string(),
  created_at: z.iso.datetime(),
  disabled_at: z.iso.datetime().nullable(),
});

const balance = z.string().describe("USD with 4 decimals");

const accountListJson = z.array(accountJson.extend({ balance }));

const accountShowJson = accountJson.extend({ balance, keys: z.array(apiKeyJson) });

/** `account create|list|show|disable|enable`. */
export function addAccountCommands(program: Command): void {
  const account = program.command("account").description("Manage accounts");
  addUsage(
    account
      .command("create")
      .description("Create an account")
      .requiredOption("--email <address>", "email address, unique among accounts", parseEmail)
      .requiredOption("--name <name>", "display name", parseName),
    {
      json: accountJson,
      examples: ['gpu-offers-admin account create --email ada@example.com --name "Ada Lovelace"'],
    },
  ).action(create);
  addUsage(account.command("list").description("List accounts with their balances"), {
    json: accountListJson,
    examples: [
      "gpu-offers-admin account list",
      "gpu-offers-admin account list --json | jq '.[] | select(.disabled_at != null)'",
    ],
  }).action(list);
  addUsage(
    account
      .command("show")
      .description("Show an account with its balance and keys")
      .argument("<account>", "id or email address"),
    { json: accountShowJson, examples: ["gpu-offers-admin account show ada@example.com"] },
  ).action(show);
  for (const [name, description, done] of [
    ["disable", "Disable an account; all of its keys stop working", ["Disabled", "stop working"]],
    ["enable", "Re-enable an account. Revoked and expired keys stay invalid.", ["Enabled", "work again"]],
  ] as const) {
    addUsage(account.command(name).description(description).argument("<account>", "id or email address"), {
      json: accountJson,
      examples: [`gpu-offers-admin account ${name} ada@example.com`],
    }).action((idOrEmail: string, options: JsonOption) => change(idOrEmail, name, done, options));
  }
}

/**
 * The account that an operator names by id or email address.
 * @throws CommandFailure if there is no such account.
 */
export async function getAccount(database: Database, idOrEmail: string): Promise<StoredAccount> {
  const account = await new AccountStore(database).find(idOrEmail);
  if (account === undefined) {
    throw new CommandFailure(`no account ${idOrEmail}. List accounts: ${invocation("account", "list")}`);
  }
  return account;
}

async function create(options: JsonOption & { email: string; name: string }): Promise<void> {
  const { email, name } = options;
  const account = await withNewDatabase((database) => new AccountStore(database).create({ email, displayName: name }));
  if (account === undefined) {
    throw new CommandFailure(
      `an account with the address ${email} already exists: ${invocation("account", "show", email)}`,
    );
  }
  const done = `Created account ${account.id} for ${account.email}.`;
  const next = invocation("key", "create", "--account", account.email);
  await print(accountJson, account, options, () => `${done}\nNext: ${next}`, done);
}

async function list(options: JsonOption): Promise<void> {
  const accounts = (await withReader((database) => new AccountStore(database).list())).map(
    ({ balanceE4, ...account }) => Object.assign(account, { balance: formatAmount(balanceE4) }),
  );
  await print(accountListJson, accounts, options, () =>
    formatTable(
      {
        ID: "id",
        EMAIL: "email",
        NAME: "display_name",
        CREATED: "created_at",
        DISABLED: "disabled_at",
        BALANCE: "balance",
      },
      accounts,
      ["EMAIL", "NAME"],
    ),
  );
}

async function show(idOrEmail: string, options: JsonOption): Promise<void> {
  const shown = await withSnapshot(async (database) => {
    const account = await getAccount(database, idOrEmail);
    return {
      ...account,
      balance: formatAmount(await new CreditStore(database).getBalance(account.id)),
      keys: await new ApiKeyStore(database).list(account.id),
    };
  });
  await print(accountShowJson, shown, options, () =>
    formatFields([
      ["id", shown.id],
      ["email", shown.email],
      ["name", shown.display_name],
      ["created", shown.created_at],
      ["disabled", shown.disabled_at ?? "no"],
      ["balance", `${shown.balance} USD`],
      ["keys", `${shown.keys.filter((key) => key.revoked_at === null).length} of ${shown.keys.length} not revoked`],
    ]),
  );
}

async function change(
  idOrEmail: string,
  verb: "disable" | "enable",
  [done, keys]: readonly [string, string],
  options: JsonOption,
): Promise<void> {
  const account = await withDatabase(async (database) => {
    const { id } = await getAccount(database, idOrEmail);
    await new AccountStore(database)[verb](id);
    return getAccount(database, id);
  });
  const text = `${done} account ${account.id}. Its keys ${keys} within 5 seconds.`;
  await printDone(accountJson, account, options, text);
}

function parseEmail(text: string): string {
  if (!accountSchema.shape.email.safeParse(text).success) {
    throw new InvalidArgumentError("It must be an email address.");
  }
  return parsePlainText(text);
}

function parseName(text: string): string {
  const name = parsePlainText(text.trim());
  if (name === "") {
    throw new InvalidArgumentError("It must not be empty.");
  }
  return name;
}
