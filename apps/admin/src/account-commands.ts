import { formatAmount } from "@gpu-offers/domain";
import * as z from "zod";
import { AccountStore, type StoredAccount } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import type { Database } from "@gpu-offers/store/database";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { withDatabase, withNewDatabase, withReader, withSnapshot } from "./admin-database.js";
import { CommandFailure, type AdminCommand } from "./command.js";
import { invocation } from "./invocation.js";
import { parseEmail, parseName } from "./option-values.js";
import { formatFields, formatTable } from "./table.js";

/** An API key in JSON, without its secret: output of `key revoke`, and part of `key list` and `account show`. */
export const apiKeyJson = z.strictObject({
  id: z.uuid(),
  account_id: z.uuid(),
  label: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
});

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
export function addAccountCommands(program: AdminCommand): void {
  const account = program.command("account").description("Manage accounts");
  account
    .command("create")
    .description("Create an account")
    .requiredOption("--email <address>", "email address, unique among accounts", parseEmail)
    .requiredOption("--name <name>", "display name", parseName)
    .examples('gpu-offers-admin account create --email ada@example.com --name "Ada Lovelace"')
    .prints(accountJson, create);
  account
    .command("list")
    .description("List accounts with their balances")
    .examples(
      "gpu-offers-admin account list",
      "gpu-offers-admin account list --json | jq '.[] | select(.disabled_at != null)'",
    )
    .prints(accountListJson, list);
  account
    .command("show")
    .description("Show an account with its balance and keys")
    .argument("<account>", "id or email address")
    .examples("gpu-offers-admin account show ada@example.com")
    .prints(accountShowJson, show);
  for (const [verb, description, done] of [
    ["disable", "Disable an account; all of its keys stop working", ["Disabled", "stop working"]],
    ["enable", "Re-enable an account. Revoked and expired keys stay invalid.", ["Enabled", "work again"]],
  ] as const) {
    account
      .command(verb)
      .description(description)
      .argument("<account>", "id or email address")
      .examples(`gpu-offers-admin account ${verb} ada@example.com`)
      .prints(accountJson, (idOrEmail: string) => change(idOrEmail, verb, done));
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

async function create({ email, name }: { email: string; name: string }) {
  const account = await withNewDatabase((database) => new AccountStore(database).create({ email, displayName: name }));
  if (account === undefined) {
    throw new CommandFailure(
      `an account with the address ${email} already exists: ${invocation("account", "show", email)}`,
    );
  }
  const done = `Created account ${account.id} for ${account.email}.`;
  return { json: account, text: `${done}\nNext: ${invocation("key", "create", "--account", account.email)}`, done };
}

async function list() {
  const accounts = (await withReader((database) => new AccountStore(database).list())).map(
    ({ balanceE4, ...account }) => Object.assign(account, { balance: formatAmount(balanceE4) }),
  );
  const columns = {
    ID: "id",
    EMAIL: "email",
    NAME: "display_name",
    CREATED: "created_at",
    DISABLED: "disabled_at",
    BALANCE: "balance",
  } as const;
  return { json: accounts, text: formatTable(columns, accounts, ["EMAIL", "NAME"]) };
}

async function show(idOrEmail: string) {
  const shown = await withSnapshot(async (database) => {
    const account = await getAccount(database, idOrEmail);
    return {
      ...account,
      balance: formatAmount(await new CreditStore(database).getBalance(account.id)),
      keys: await new ApiKeyStore(database).list(account.id),
    };
  });
  const text = formatFields([
    ["id", shown.id],
    ["email", shown.email],
    ["name", shown.display_name],
    ["created", shown.created_at],
    ["disabled", shown.disabled_at ?? "no"],
    ["balance", `${shown.balance} USD`],
    ["keys", `${shown.keys.filter((key) => key.revoked_at === null).length} of ${shown.keys.length} not revoked`],
  ]);
  return { json: shown, text };
}

async function change(idOrEmail: string, verb: "disable" | "enable", [done, keys]: readonly [string, string]) {
  const account = await withDatabase(async (database) => {
    const { id } = await getAccount(database, idOrEmail);
    await new AccountStore(database)[verb](id);
    return getAccount(database, id);
  });
  return { json: account, done: `${done} account ${account.id}. Its keys ${keys} within 5 seconds.` };
}
