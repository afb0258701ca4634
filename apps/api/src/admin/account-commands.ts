import { InvalidArgumentError, type Command } from "commander";
import { accountSchema, formatAmount } from "@gpu-offers/domain";
import {
  createAccount,
  disableAccount,
  enableAccount,
  findAccount,
  listAccounts,
  type StoredAccount,
} from "../store/account.store.js";
import { listApiKeys } from "../store/api-key.store.js";
import type { Database } from "../store/database.js";
import { getBalance } from "../store/ledger.store.js";
import { withDatabase, withNewDatabase, withSnapshot } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { print } from "./output.js";
import { parsePlainText } from "./plain-text.js";
import { formatTable } from "./table.js";

interface JsonOption {
  json?: true;
}

/** `account create|list|show|disable|enable`. */
export function addAccountCommands(program: Command): void {
  const account = program
    .command("account")
    .description("who may use the service, and with how much credit")
    .exitOverride();
  account
    .command("create")
    .description("make an account")
    .requiredOption("--email <address>", "its e-mail address; no two accounts have the same", parseEmail)
    .requiredOption("--name <name>", "its display name", parseName)
    .option("--json", "print it as JSON")
    .addHelpText("after", '\nExample:\n  account create --email ada@example.com --name "Ada Lovelace"')
    .exitOverride()
    .action(create);
  account
    .command("list")
    .description("all accounts")
    .option("--json", "print them as JSON")
    .addHelpText("after", "\nExample:\n  account list --json | jq '.[] | select(.disabled_at != null)'")
    .exitOverride()
    .action(list);
  account
    .command("show")
    .description("one account with its balance and keys")
    .argument("<account>", "its id or e-mail address")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  account show ada@example.com")
    .exitOverride()
    .action(show);
  account
    .command("disable")
    .description("refuse all keys of an account, until account enable")
    .argument("<account>", "its id or e-mail address")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  account disable ada@example.com")
    .exitOverride()
    .action(disable);
  account
    .command("enable")
    .description("take the keys of a disabled account again; revoked and expired ones stay refused")
    .argument("<account>", "its id or e-mail address")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  account enable ada@example.com")
    .exitOverride()
    .action(enable);
}

/**
 * The account that an operator names by id or e-mail address.
 * @throws CommandFailure when there is none.
 */
export async function getAccount(database: Database, idOrEmail: string): Promise<StoredAccount> {
  const account = await findAccount(database, idOrEmail);
  if (account === undefined) {
    throw new CommandFailure(`there is no account ${idOrEmail}; account list shows all.`);
  }
  return account;
}

async function create(options: JsonOption & { email: string; name: string }): Promise<void> {
  const { email, name } = options;
  const account = await withNewDatabase((database) => createAccount(database, { email, displayName: name }));
  if (account === undefined) {
    throw new CommandFailure(`there is an account with the address ${email} already; account show ${email} shows it.`);
  }
  print(
    account,
    options,
    () => `Made account ${account.id} for ${account.email}.\nNext: key create --account ${account.email}`,
  );
}

async function list(options: JsonOption): Promise<void> {
  const accounts = (await withDatabase(listAccounts)).map(({ balanceE4, ...account }) =>
    Object.assign(account, { balance: formatAmount(balanceE4) }),
  );
  print(accounts, options, () =>
    formatTable([
      ["ID", "E-MAIL", "NAME", "CREATED", "DISABLED", "BALANCE"],
      ...accounts.map(({ id, email, display_name, created_at, disabled_at, balance }) => [
        id,
        email,
        display_name,
        created_at,
        disabled_at ?? "-",
        balance,
      ]),
    ]),
  );
}

async function show(idOrEmail: string, options: JsonOption): Promise<void> {
  const shown = await withSnapshot(async (database) => {
    const account = await getAccount(database, idOrEmail);
    return {
      ...account,
      balance: formatAmount(await getBalance(database, account.id)),
      keys: await listApiKeys(database, account.id),
    };
  });
  print(shown, options, () =>
    [
      `id        ${shown.id}`,
      `e-mail    ${shown.email}`,
      `name      ${shown.display_name}`,
      `created   ${shown.created_at}`,
      `disabled  ${shown.disabled_at ?? "no"}`,
      `balance   ${shown.balance} USD`,
      `keys      ${shown.keys.filter((key) => key.revoked_at === null).length} of ${shown.keys.length} not revoked`,
    ].join("\n"),
  );
}

async function disable(idOrEmail: string, options: JsonOption): Promise<void> {
  const account = await withDatabase(async (database) => {
    const { id } = await getAccount(database, idOrEmail);
    return disableAccount(database, id);
  });
  print(account, options, () => `Disabled account ${account?.id}; running services refuse its keys within 5 seconds.`);
}

async function enable(idOrEmail: string, options: JsonOption): Promise<void> {
  const account = await withDatabase(async (database) => {
    const { id } = await getAccount(database, idOrEmail);
    return enableAccount(database, id);
  });
  print(account, options, () => `Enabled account ${account?.id}; running services take its keys again.`);
}

function parseEmail(text: string): string {
  if (!accountSchema.shape.email.safeParse(text).success) {
    throw new InvalidArgumentError("It is no e-mail address.");
  }
  return parsePlainText(text);
}

function parseName(text: string): string {
  const name = parsePlainText(text.trim());
  if (name === "") {
    throw new InvalidArgumentError("It is empty.");
  }
  return name;
}
