import { formatAmount, reasonOf } from "@gpu-offers/domain";
import * as z from "zod";
import { AccountStore, type StoredAccount } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import type { Database } from "@gpu-offers/store/database";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { withDatabase, withNewDatabase, withReader, withSnapshot } from "./admin-database.js";
import { CommandFailure, isOutputDiscarded, type AdminCommand } from "./command.js";
import { invocation } from "./invocation.js";
import { parseEmail, parseExpiry, parseName, parsePlainText } from "./option-values.js";
import { formatFields, formatTable } from "./table.js";

/** An API key in JSON, without its secret: output of `key revoke`, and part of `key list` and `account show`. */
const apiKeyJson = z.strictObject({
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
    .prints(accountJson, createAccount);
  account
    .command("list")
    .description("List accounts with their balances")
    .examples(
      "gpu-offers-admin account list",
      "gpu-offers-admin account list --json | jq '.[] | select(.disabled_at != null)'",
    )
    .prints(accountListJson, listAccounts);
  account
    .command("show")
    .description("Show an account with its balance and keys")
    .argument("<account>", "id or email address")
    .examples("gpu-offers-admin account show ada@example.com")
    .prints(accountShowJson, showAccount);
  for (const [verb, description, done] of [
    ["disable", "Disable an account; all of its keys stop working", ["Disabled", "stop working"]],
    ["enable", "Re-enable an account. Revoked and expired keys stay invalid.", ["Enabled", "work again"]],
  ] as const) {
    account
      .command(verb)
      .description(description)
      .argument("<account>", "id or email address")
      .examples(`gpu-offers-admin account ${verb} ada@example.com`)
      .prints(accountJson, (idOrEmail: string) => changeAccount(idOrEmail, verb, done));
  }
}

/** The account that an operator names by id or email address. @throws CommandFailure if there is no such account. */
export async function getAccount(database: Database, idOrEmail: string): Promise<StoredAccount> {
  const account = await new AccountStore(database).find(idOrEmail);
  if (account === undefined) {
    throw new CommandFailure(`no account ${idOrEmail}. List accounts: ${invocation("account", "list")}`);
  }
  return account;
}

async function createAccount({ email, name }: { email: string; name: string }) {
  const account = await withNewDatabase((database) => new AccountStore(database).create({ email, displayName: name }));
  if (account === undefined) {
    throw new CommandFailure(
      `an account with the address ${email} already exists: ${invocation("account", "show", email)}`,
    );
  }
  const done = `Created account ${account.id} for ${account.email}.`;
  return { json: account, text: `${done}\nNext: ${invocation("key", "create", "--account", account.email)}`, done };
}

async function listAccounts() {
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

async function showAccount(idOrEmail: string) {
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

async function changeAccount(idOrEmail: string, verb: "disable" | "enable", [done, keys]: readonly [string, string]) {
  const account = await withDatabase(async (database) => {
    const { id } = await getAccount(database, idOrEmail);
    await new AccountStore(database)[verb](id);
    return getAccount(database, id);
  });
  return { json: account, done: `${done} account ${account.id}. Its keys ${keys} within 5 seconds.` };
}

/** Output of `key create`, the only one with the key itself. */
const keyCreateJson = apiKeyJson.extend({ key: z.string().describe("the API key; it cannot be shown again") });

/** `key create|list|revoke`. */
export function addKeyCommands(program: AdminCommand): void {
  const key = program.command("key").description("Manage API keys");
  key
    .command("create")
    .description("Create an API key. It is shown only once.")
    .requiredOption("--account <account>", "id or email address of the account")
    .option("--label <label>", "what the key is for", parsePlainText)
    .option("--expires <time>", "last valid day, or exact expiry time (ISO 8601, UTC)", parseExpiry)
    .examples(
      "gpu-offers-admin key create --account ada@example.com",
      "gpu-offers-admin key create --account ada@example.com --label laptop --expires 2027-12-31",
    )
    .prints(keyCreateJson, createKey);
  key
    .command("list")
    .description("List API keys (secrets are never shown)")
    .option("--account <account>", "id or email address of an account (default: all accounts)")
    .examples("gpu-offers-admin key list --account ada@example.com")
    .prints(z.array(apiKeyJson), listKeys);
  key
    .command("revoke")
    .description("Revoke a key permanently")
    .argument("<id>", "id of the key, from key list")
    .examples("gpu-offers-admin key revoke 0c126b5d-0cba-4632-86ac-a1f081ec4af1")
    .prints(apiKeyJson, revokeKey);
}

async function createKey(options: { account: string; label?: string; expires?: string }) {
  // A key that was never seen would stay valid.
  if (isOutputDiscarded()) {
    throw new CommandFailure("standard output is closed or /dev/null, so the key would be lost. Nothing was changed.");
  }
  const key = await withDatabase(async (database) => {
    const account = await getAccount(database, options.account);
    if (account.disabled_at !== null) {
      throw new CommandFailure(
        `account ${account.email} is disabled, so its keys would not work. Enable it: ${invocation("account", "enable", account.email)}`,
      );
    }
    const { label = "", expires = null } = options;
    return new ApiKeyStore(database).create({ account_id: account.id, label, expires_at: expires });
  });
  return {
    json: key,
    text: `${key.key}\n\nThis is key ${key.id}. Store it now: it cannot be shown again.`,
    done: () => revokeUnprinted(key.id),
  };
}

/** Revokes a key whose secret could not be printed, so that no unused key stays valid. */
async function revokeUnprinted(id: string): Promise<string> {
  try {
    await withDatabase((database) => new ApiKeyStore(database).revoke(id));
    return `Key ${id} could not be printed, so it was revoked.`;
  } catch (error) {
    return `Key ${id} could not be printed, and revoking it failed (${reasonOf(error)}). Revoke it: ${invocation("key", "revoke", id)}`;
  }
}

async function listKeys({ account }: { account?: string }) {
  const keys = await withReader(async (database) =>
    new ApiKeyStore(database).list(account === undefined ? undefined : (await getAccount(database, account)).id),
  );
  const text = formatTable(
    {
      ID: "id",
      ACCOUNT: "account_id",
      LABEL: ({ label }) => (label === "" ? "-" : label),
      CREATED: "created_at",
      EXPIRES: "expires_at",
      REVOKED: "revoked_at",
      "LAST USED": "last_used_at",
    },
    keys,
    ["LABEL"],
  );
  return { json: keys, text };
}

async function revokeKey(id: string) {
  const key = await withDatabase((database) => new ApiKeyStore(database).revoke(id));
  if (key === undefined) {
    throw new CommandFailure(`no key with the id ${id}. List keys: ${invocation("key", "list")}`);
  }
  return { json: key, done: `Revoked key ${key.id} at ${key.revoked_at}. It stops working within 5 seconds.` };
}
