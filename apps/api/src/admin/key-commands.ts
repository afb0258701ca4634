import { InvalidArgumentError, type Command } from "commander";
import { createApiKey, listApiKeys, revokeApiKey } from "../store/api-key.store.js";
import { getAccount } from "./account-commands.js";
import { withDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { print } from "./output.js";
import { parsePlainText } from "./plain-text.js";
import { formatTable } from "./table.js";

interface JsonOption {
  json?: true;
}

/** `key create|list|revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("the API keys of accounts").exitOverride();
  key
    .command("create")
    .description("make a key for an account; it is shown this once")
    .requiredOption("--account <account>", "id or e-mail address of the account")
    .option("--label <label>", "what it is for", parsePlainText)
    .option("--expires <time>", "last day, or ISO 8601 time, in UTC at which it is taken", parseExpiry)
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  key create --account ada@example.com --label laptop --expires 2027-12-31")
    .exitOverride()
    .action(create);
  key
    .command("list")
    .description("keys without the keys themselves")
    .option("--account <account>", "id or e-mail address of the account (default: of all)")
    .option("--json", "print them as JSON")
    .addHelpText("after", "\nExample:\n  key list --account ada@example.com")
    .exitOverride()
    .action(list);
  key
    .command("revoke")
    .description("refuse a key for good")
    .argument("<id>", "id of the key, as key list shows it")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  key revoke 0c126b5d-0cba-4632-86ac-a1f081ec4af1")
    .exitOverride()
    .action(revoke);
}

async function create(options: JsonOption & { account: string; label?: string; expires?: string }): Promise<void> {
  const key = await withDatabase(async (database) => {
    const account = await getAccount(database, options.account);
    if (account.disabled_at !== null) {
      throw new CommandFailure(
        `account ${account.email} is disabled, so its keys would be refused; account enable ${account.email} ends that.`,
      );
    }
    return createApiKey(database, {
      accountId: account.id,
      label: options.label ?? "",
      expiresAt: options.expires ?? null,
    });
  });
  print(key, options, () => `${key.key}\n\nThis is key ${key.id}. Keep it: it cannot be shown again.`);
}

async function list(options: JsonOption & { account?: string }): Promise<void> {
  const keys = await withDatabase(async (database) =>
    listApiKeys(database, options.account === undefined ? undefined : (await getAccount(database, options.account)).id),
  );
  print(keys, options, () =>
    formatTable([
      ["ID", "ACCOUNT", "LABEL", "CREATED", "EXPIRES", "REVOKED", "LAST USED"],
      ...keys.map((key) => [
        key.id,
        key.account_id,
        key.label === "" ? "-" : key.label,
        key.created_at,
        key.expires_at ?? "-",
        key.revoked_at ?? "-",
        key.last_used_at ?? "-",
      ]),
    ]),
  );
}

async function revoke(id: string, options: JsonOption): Promise<void> {
  const key = await withDatabase((database) => revokeApiKey(database, id));
  if (key === undefined) {
    throw new CommandFailure(`there is no key with the id ${id}; key list shows all.`);
  }
  print(key, options, () => `Revoked key ${key.id} at ${key.revoked_at}; running services refuse it within 5 seconds.`);
}

/** A day is meant to its end. */
function parseExpiry(text: string): string {
  const [, day = "", clock = "T23:59:59.999Z"] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/.exec(text) ?? [];
  const time = new Date(`${day}${clock}`);
  // Date takes February 31 for March 3.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(day)) {
    throw new InvalidArgumentError("It is a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.");
  }
  if (time.getTime() <= Date.now()) {
    throw new InvalidArgumentError("It is in the past.");
  }
  return time.toISOString();
}
