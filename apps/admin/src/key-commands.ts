import { InvalidArgumentError, type Command } from "commander";
import * as z from "zod";
import { reasonOf } from "@gpu-offers/domain";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { getAccount } from "./account-commands.js";
import { withDatabase, withReader } from "./admin-database.js";
import { apiKeyJson } from "./api-key-json.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { invocation } from "./invocation.js";
import { isOutputDiscarded, print, printDone } from "./output.js";
import { parsePlainText } from "./plain-text.js";
import { formatTable } from "./table.js";
import { parseTime } from "./time.js";

/** Output of `key create`, the only one with the key itself. */
export const keyCreateJson = apiKeyJson.extend({ key: z.string().describe("the API key; it cannot be shown again") });

const keyListJson = z.array(apiKeyJson);

/** `key create|list|revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("Manage API keys");
  addUsage(
    key
      .command("create")
      .description("Create an API key. It is shown only once.")
      .requiredOption("--account <account>", "id or email address of the account")
      .option("--label <label>", "what the key is for", parsePlainText)
      .option("--expires <time>", "last valid day, or exact expiry time (ISO 8601, UTC)", parseExpiry),
    {
      json: keyCreateJson,
      examples: [
        "gpu-offers-admin key create --account ada@example.com",
        "gpu-offers-admin key create --account ada@example.com --label laptop --expires 2027-12-31",
      ],
    },
  ).action(create);
  addUsage(
    key
      .command("list")
      .description("List API keys (secrets are never shown)")
      .option("--account <account>", "id or email address of an account (default: all accounts)"),
    { json: keyListJson, examples: ["gpu-offers-admin key list --account ada@example.com"] },
  ).action(list);
  addUsage(
    key.command("revoke").description("Revoke a key permanently").argument("<id>", "id of the key, from key list"),
    { json: apiKeyJson, examples: ["gpu-offers-admin key revoke 0c126b5d-0cba-4632-86ac-a1f081ec4af1"] },
  ).action(revoke);
}

async function create(options: JsonOption & { account: string; label?: string; expires?: string }): Promise<void> {
  assertReadOutput();
  const key = await withDatabase(async (database) => {
    const account = await getAccount(database, options.account);
    if (account.disabled_at !== null) {
      throw new CommandFailure(
        `account ${account.email} is disabled, so its keys would not work. Enable it: ${invocation("account", "enable", account.email)}`,
      );
    }
    return new ApiKeyStore(database).create({
      accountId: account.id,
      label: options.label ?? "",
      expiresAt: options.expires ?? null,
    });
  });
  await print(
    keyCreateJson,
    key,
    options,
    () => `${key.key}\n\nThis is key ${key.id}. Store it now: it cannot be shown again.`,
    () => revokeUnprinted(key.id),
  );
}

/** A key that was never seen would stay valid. */
function assertReadOutput(): void {
  if (isOutputDiscarded()) {
    throw new CommandFailure("standard output is closed or /dev/null, so the key would be lost. Nothing was changed.");
  }
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

async function list(options: JsonOption & { account?: string }): Promise<void> {
  const keys = await withReader(async (database) =>
    new ApiKeyStore(database).list(
      options.account === undefined ? undefined : (await getAccount(database, options.account)).id,
    ),
  );
  await print(keyListJson, keys, options, () =>
    formatTable(
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
    ),
  );
}

async function revoke(id: string, options: JsonOption): Promise<void> {
  const key = await withDatabase((database) => new ApiKeyStore(database).revoke(id));
  if (key === undefined) {
    throw new CommandFailure(`no key with the id ${id}. List keys: ${invocation("key", "list")}`);
  }
  const done = `Revoked key ${key.id} at ${key.revoked_at}. It stops working within 5 seconds.`;
  await printDone(apiKeyJson, key, options, done);
}

/** The end of a day, or an exact time. */
function parseExpiry(text: string): string {
  const time = parseTime(text, "23:59:59.999");
  if (Date.parse(time) <= Date.now()) {
    throw new InvalidArgumentError("It must be in the future.");
  }
  return time;
}
