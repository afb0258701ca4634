import * as z from "zod";
import { reasonOf } from "@gpu-offers/domain";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { apiKeyJson, getAccount } from "./account-commands.js";
import { withDatabase, withReader } from "./admin-database.js";
import { CommandFailure, isOutputDiscarded, type AdminCommand } from "./command.js";
import { invocation } from "./invocation.js";
import { parseExpiry, parsePlainText } from "./option-values.js";
import { formatTable } from "./table.js";

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
    .prints(keyCreateJson, create);
  key
    .command("list")
    .description("List API keys (secrets are never shown)")
    .option("--account <account>", "id or email address of an account (default: all accounts)")
    .examples("gpu-offers-admin key list --account ada@example.com")
    .prints(z.array(apiKeyJson), list);
  key
    .command("revoke")
    .description("Revoke a key permanently")
    .argument("<id>", "id of the key, from key list")
    .examples("gpu-offers-admin key revoke 0c126b5d-0cba-4632-86ac-a1f081ec4af1")
    .prints(apiKeyJson, revoke);
}

async function create(options: { account: string; label?: string; expires?: string }) {
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
    return new ApiKeyStore(database).create({
      accountId: account.id,
      label: options.label ?? "",
      expiresAt: options.expires ?? null,
    });
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

async function list({ account }: { account?: string }) {
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

async function revoke(id: string) {
  const key = await withDatabase((database) => new ApiKeyStore(database).revoke(id));
  if (key === undefined) {
    throw new CommandFailure(`no key with the id ${id}. List keys: ${invocation("key", "list")}`);
  }
  return { json: key, done: `Revoked key ${key.id} at ${key.revoked_at}. It stops working within 5 seconds.` };
}
