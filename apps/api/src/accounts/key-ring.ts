import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { findKeyOwner, recordKeyUse } from "../store/api-key.store.js";
import type { Database } from "../store/database.js";
import { hashApiKey, isApiKey } from "./api-key.js";

/** Milliseconds that a key is taken as good without asking again: a revoked one is refused within 5 s everywhere. */
const TRUST_MS = 3_000;

/** Keys that are remembered at once. */
const REMEMBERED_KEYS = 10_000;

/** Milliseconds between two writings of when keys were last used. */
const RECORD_INTERVAL_MS = 30_000;

interface Owner {
  keyId: string;
  accountId: string;
  expiresAt: string | null;
}

/** Knows whose key a key is. It asks the database at most once in a while for each, and writes even less. */
export class KeyRing {
  readonly #owners = new LRUCache<string, Owner>({ max: REMEMBERED_KEYS, ttl: TRUST_MS });
  /** Ids of keys that were found good, by their hashes. They stay: whose requests are counted together does not change. */
  readonly #ids = new LRUCache<string, string>({ max: REMEMBERED_KEYS });
  #lastUsed = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  /** Begins to write now and then when keys were last used. */
  start(): void {
    this.#timer = setInterval(() => void this.#record(), RECORD_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Writes what is not written yet, and stops. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#record();
  }

  /**
   * The account of a key; undefined when the key is malformed, unknown, expired or revoked, or its
   * account disabled. Rejects when the database cannot be asked.
   */
  async findAccountId(key: string): Promise<string | undefined> {
    if (!isApiKey(key)) {
      return undefined;
    }
    const now = new Date().toISOString();
    const hash = hashApiKey(key);
    let owner = this.#owners.get(hash);
    if (owner === undefined) {
      owner = await findKeyOwner(this.database, hash, now);
      if (owner === undefined) {
        return undefined;
      }
      this.#owners.set(hash, owner);
      this.#ids.set(hash, owner.keyId);
    }
    if (owner.expiresAt !== null && owner.expiresAt <= now) {
      return undefined;
    }
    this.#lastUsed.set(owner.keyId, now);
    return owner.accountId;
  }

  /** The id of a key that was found good at some time, without asking the database; undefined for any other text. */
  findKnown(key: string | undefined): string | undefined {
    return key === undefined || !isApiKey(key) ? undefined : this.#ids.get(hashApiKey(key));
  }

  async #record(): Promise<void> {
    if (this.#lastUsed.size === 0) {
      return;
    }
    const lastUsed = this.#lastUsed;
    this.#lastUsed = new Map();
    try {
      await recordKeyUse(this.database, lastUsed);
    } catch (error) {
      // Nothing depends on these times, so they are tried again with the next ones.
      this.#lastUsed = new Map([...lastUsed, ...this.#lastUsed]);
      this.logger.warn({ err: error }, "cannot record when API keys were used");
    }
  }
}
