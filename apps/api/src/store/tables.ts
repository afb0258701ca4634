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
    /** Rejected rows. A column keeps the name that it was made with. */
    refused: number;
  };
  provider: {
    name: string;
    type: string;
    /** Date of its figures, as the last import said; null when it did not. */
    as_of: string | null;
    /** Live source that its offers came from; null when they were imported by hand. */
    source: string | null;
    /** When its offers were last written; null where that was before it was recorded. */
    imported_at: string | null;
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
  live_source: LiveSourceTable;
  live_quarantine: LiveQuarantineTable;
  live_response: LiveResponseTable;
  offer_change: OfferChangeTable;
  offer_base: {
    id: string;
    /** The whole offer as JSON, as it was when the log of changes begins. */
    body: string;
  };
  offer_base_mark: {
    /** Always 1: there is one row. */
    id: number;
    /** Number of the last change that is part of the base and may be removed from the log. */
    through_id: number;
    /** When that change was made. */
    at: string;
  };
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
  /** Part of its live source that can fail alone, such as a zone; null where there are none. */
  scope: string | null;
}

/** What is known of a live source: one row for each that was ever enabled. */
interface LiveSourceTable {
  name: string;
  /** 1 while it is to be synced. */
  is_enabled: number;
  /** `list`, `marketplace` or `feed`; with the next three a copy of its definition, for instances that do not sync. */
  kind: string;
  stock: string;
  interval_seconds: number;
  stale_after_seconds: number;
  drop_after_seconds: number;
  /** When it is due; null for at once. */
  next_run_at: string | null;
  /** The process that runs it, and until when it may. */
  lease_owner: string | null;
  lease_until: string | null;
  /** When its last run ended, and how: `applied`, `unchanged`, `quarantined` or `failed`. */
  last_run_at: string | null;
  outcome: string | null;
  /** Failed runs in a row. */
  failures: number;
  /** 1 after 401 or 403: it does not run again until its secrets change or somebody syncs it. */
  is_stopped: number;
  /** Fingerprint of the secrets of the last run. */
  secrets_mark: string | null;
  /** When its offers were last confirmed by a response. */
  checked_at: string | null;
  /** When its offers last changed. */
  changed_at: string | null;
  error_code: string | null;
  error_message: string | null;
  error_at: string | null;
  /** JSON array of notes of the last run. */
  notes: string;
  /** JSON object of scope to `{ checked_at, error }`. */
  scopes: string;
}

/** A run that tripped a gate, kept until it is accepted or a later run is applied: one for each source. */
interface LiveQuarantineTable {
  source: string;
  first_at: string;
  last_at: string;
  /** Runs in a row with much the same content. */
  runs: number;
  offers: number;
  /** JSON: the gates and what would change. */
  report: string;
  /** Gzipped NDJSON of what was read. */
  content: Buffer;
}

/** A response with a validator, so that it need not be sent again while it stays the same. */
interface LiveResponseTable {
  source: string;
  /** SHA-256 of method, URL and body of the request. */
  request: string;
  etag: string | null;
  last_modified: string | null;
  /** JSON: status and headers. */
  head: string;
  /** Gzipped body. */
  body: Buffer;
}

/** The log of changes of offers. */
interface OfferChangeTable {
  id: GeneratedAlways<number>;
  revision: number;
  at: string;
  offer_id: string;
  provider: string;
  gpu_slug: string;
  /** `added`, `removed`, `price`, `disk`, `facts` or `stock`. */
  kind: string;
  /** JSON object of the fields that changed, as they were; null when the offer was added. */
  before: string | null;
  /** The same as they are: the whole offer when it was added, null when it was removed. */
  after: string | null;
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
