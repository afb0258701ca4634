import type { OnApplicationShutdown, OnModuleInit } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { ApiKeyStore } from "@gpu-offers/store/api-key.store";

/** Milliseconds a valid key is cached. Revoked keys are rejected everywhere within 5 s. */
const TRUST_MS = 3_000;

const REMEMBERED_KEYS = 10_000;

/** Milliseconds between writes of the keys' last use. */
const RECORD_INTERVAL_MS = 30_000;

interface Owner {
  keyId: string;
  accountId: string;
  /** Milliseconds since 1970; infinite if the key never expires. */
  expiresAtMs: number;
}

/** Finds the account of a key by the key's hash. It caches results, and batches writes of last use. */
export class KeyCache implements OnModuleInit, OnApplicationShutdown {
  readonly #owners = new LRUCache<string, Owner>({ max: REMEMBERED_KEYS, ttl: TRUST_MS });
  /** Ids of keys that were valid at some time, by hash. They stay, so that rate limit groups don't change. */
  readonly #ids = new LRUCache<string, string>({ max: REMEMBERED_KEYS });
  /** Last use in milliseconds since 1970, by key id. */
  #lastUsed = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly apiKeys: ApiKeyStore,
    private readonly logger: Logger,
  ) {}

  /** Starts recording when keys were last used. */
  onModuleInit(): void {
    this.#timer = setInterval(() => void this.#record(), RECORD_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Writes pending records, and stops. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#record();
  }

  /** The account of a cached key; undefined if the database must be queried ({@link findAccountId}). */
  findTrusted(keyHash: string | undefined): string | undefined {
    const owner = keyHash === undefined ? undefined : this.#owners.get(keyHash);
    return owner === undefined ? undefined : this.#use(owner, Date.now());
  }

  /**
   * The account of a key; undefined if the key is malformed, unknown, expired or revoked, or its account disabled.
   * Rejects if the database cannot be queried.
   */
  async findAccountId(keyHash: string | undefined): Promise<string | undefined> {
    if (keyHash === undefined) {
      return undefined;
    }
    const nowMs = Date.now();
    let owner = this.#owners.get(keyHash);
    if (owner === undefined) {
      const found = await this.apiKeys.findOwner(keyHash, new Date(nowMs).toISOString());
      if (found === undefined) {
        return undefined;
      }
      const { keyId, accountId, expiresAt } = found;
      owner = { keyId, accountId, expiresAtMs: expiresAt === null ? Infinity : Date.parse(expiresAt) };
      this.#owners.set(keyHash, owner);
      this.#ids.set(keyHash, owner.keyId);
    }
    return this.#use(owner, nowMs);
  }

  /** The id of a key that was valid at some time, without a query; undefined otherwise. */
  findKnown(keyHash: string | undefined): string | undefined {
    return keyHash === undefined ? undefined : this.#ids.get(keyHash);
  }

  #use({ keyId, accountId, expiresAtMs }: Owner, nowMs: number): string | undefined {
    if (expiresAtMs <= nowMs) {
      return undefined;
    }
    this.#lastUsed.set(keyId, nowMs);
    return accountId;
  }

  async #record(): Promise<void> {
    if (this.#lastUsed.size === 0) {
      return;
    }
    const lastUsed = this.#lastUsed;
    this.#lastUsed = new Map();
    try {
      const entries = [...lastUsed].map(([id, ms]) => [id, new Date(ms).toISOString()] as const);
      await this.apiKeys.recordUse(new Map(entries));
    } catch (error) {
      // Not critical: they are written with the next batch.
      this.#lastUsed = new Map([...lastUsed, ...this.#lastUsed]);
      this.logger.warn({ err: error }, "cannot record when API keys were used");
    }
  }
}
