import type { ColumnType, GeneratedAlways } from "kysely";

// What the tables hold; migrations.ts makes them.

/** Tables of the database. Texts of times are ISO 8601 UTC. */
export interface Tables {
  catalog_revision: {
    revision: GeneratedAlways<number>;
    /** Random text that tells this revision from the same number in another database. */
    mark: string;
    created_at: string;
    /** What made it, for people: `import --format native starter.json`. */
    cause: string;
    added: number;
    changed: number;
    removed: number;
    refused: number;
  };
  provider: {
    name: string;
    type: string;
    /** Date of its figures, as the last import said; null when it did not. */
    as_of: string | null;
  };
  os_image: {
    provider: string;
    id: string;
    /** The image as the interface has it, as JSON. */
    body: string;
    /** JSON array of the instance types it is restricted to; empty for all. */
    instance_types: string;
  };
  offer: OfferTable;
  account: AccountTable;
  api_key: ApiKeyTable;
  ledger_entry: LedgerEntryTable;
  /** Offers of an import in progress. Same columns as `offer`; a temporary table of one connection. */
  staged_offer: OfferTable;
}

interface OfferTable {
  id: string;
  provider: string;
  gpu_slug: string;
  continent: string;
  gpu_count: number;
  price_hourly: number;
  price_per_gpu: number;
  /** The offer as the interface has it, as JSON: the bytes that are served. */
  body: string;
}

interface AccountTable {
  /** UUID. */
  id: string;
  /** As it was given. */
  email: string;
  /** The address in lower case, as Unicode has it; no two accounts have the same. */
  email_key: string;
  display_name: string;
  created_at: string;
  /** When it was disabled; null while it may be used. */
  disabled_at: string | null;
}

interface ApiKeyTable {
  /** UUID. It names the key to people; the key itself is nowhere. */
  id: string;
  account_id: string;
  /** SHA-256 of the key in hexadecimal. */
  hash: string;
  label: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

interface LedgerEntryTable {
  /** Order of the entries. */
  id: GeneratedAlways<number>;
  account_id: string;
  /** Chosen by the caller, unique in the account. */
  reference: string;
  /** Ten-thousandths of a dollar; negative for a debit. Written as bigint, read with `cast(... as text)`. */
  amount_e4: ColumnType<never, bigint, never>;
  /** Balance of the account after this entry: that after the one before plus the amount. Read and written as the amount. */
  balance_e4: ColumnType<never, bigint, never>;
  note: string;
  created_at: string;
}
