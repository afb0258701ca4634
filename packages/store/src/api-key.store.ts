import type { Selectable } from "kysely";
import type { Tables } from "./tables.js";
import { randomUUID, hash, randomInt } from "node:crypto";
import type { Database } from "./database.js";
import { crc32 } from "node:zlib";

// API keys. Only hashes are stored; a key is shown once, when it is created.

/** A key with the fields that operators see. Times are ISO 8601 UTC. */
type StoredApiKey = Omit<Selectable<Tables["api_key"]>, "hash">;

const COLUMNS = ["id", "account_id", "label", "created_at", "expires_at", "revoked_at", "last_used_at"] as const;

export class ApiKeyStore {
  constructor(private readonly database: Database) {}

  /** Creates a key for an account. The returned `key` is stored nowhere. */
  async create(
    given: Pick<StoredApiKey, "account_id" | "label" | "expires_at">,
  ): Promise<StoredApiKey & { key: string }> {
    const key = newApiKey();
    const row = await this.database
      .insertInto("api_key")
      .values({
        ...given,
        id: randomUUID(),
        hash: hashApiKey(key),
        created_at: new Date().toISOString(),
        revoked_at: null,
        last_used_at: null,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    return { ...row, key };
  }

  /** Keys of one account or of all accounts, oldest first. */
  async list(accountId?: string): Promise<StoredApiKey[]> {
    return this.database
      .selectFrom("api_key")
      .select(COLUMNS)
      .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
      .orderBy("created_at")
      .orderBy("id")
      .execute();
  }

  async revoke(id: string): Promise<StoredApiKey | undefined> {
    const valid = this.database.updateTable("api_key").where("id", "=", id).where("revoked_at", "is", null);
    await valid.set({ revoked_at: new Date().toISOString() }).execute();
    return this.database.selectFrom("api_key").select(COLUMNS).where("id", "=", id).executeTakeFirst();
  }

  /** The account of the key with this hash, if valid at `now`: not revoked, not expired, account not disabled. */
  async findOwner(
    keyHash: string,
    now: string,
  ): Promise<{ keyId: string; accountId: string; expiresAt: string | null } | undefined> {
    return this.database
      .selectFrom("api_key")
      .innerJoin("account", "account.id", "api_key.account_id")
      .select(["api_key.id as keyId", "api_key.account_id as accountId", "api_key.expires_at as expiresAt"])
      .where("api_key.hash", "=", keyHash)
      .where("api_key.revoked_at", "is", null)
      .where("account.disabled_at", "is", null)
      .where((where) => where.or([where("api_key.expires_at", "is", null), where("api_key.expires_at", ">", now)]))
      .executeTakeFirst();
  }

  /** Records when keys were last used (key id to ISO 8601 UTC). An older time never replaces a newer one. */
  async recordUse(lastUsed: ReadonlyMap<string, string>): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      // In a fixed order, so that instances that write the same keys concurrently don't deadlock.
      for (const [id, usedAt] of [...lastUsed].sort(([a], [b]) => (a < b ? -1 : 1))) {
        await transaction
          .updateTable("api_key")
          .set({ last_used_at: usedAt })
          .where("id", "=", id)
          .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<", usedAt)]))
          .execute();
      }
    });
  }
}

const PREFIX = "gpo_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

const FORM = /^gpo_[0-9A-Za-z]{36}$/;

/** Generates a key with about 178 random bits. */
export function newApiKey(): string {
  const body = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${PREFIX}${body}${checksum(body)}`;
}

/** Whether a text has the form of a key and a valid checksum. */
export function isApiKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(PREFIX.length, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The stored hash of a key: hexadecimal SHA-256. Keys are random, so a slow hash would add nothing. */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}

/** The CRC-32 of a text in base 62, with leading zeros. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = `${ALPHABET[rest % ALPHABET.length]}${digits}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
