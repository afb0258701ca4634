import type { ColumnType, GeneratedAlways } from "kysely";

// Types of the tables, which migrations.ts creates.

/** Tables of the database. Texts of times are ISO 8601 UTC. */
export interface Tables {
  catalog_revision: {
    revision: GeneratedAlways<number>;
    /** Random text that distinguishes this revision from the same number in another database. */
    mark: string;
    created_at: string;
    /** The command that created it, such as `import --format native starter.json`. */
    cause: string;
    added: number;
    changed: number;
    removed: number;
    /** Number of rejected rows. Columns are never renamed. */
    refused: number;
  };
  provider: {
    name: string;
    type: string;
    /** Date of its data; null if the last import had none. */
    as_of: string | null;
    /** Live source of its offers; null if they were imported from a file. */
    source: string | null;
    /** When its offers were last written; null if that was before this column existed. */
    imported_at: string | null;
    /** Increases when what sources state beyond the offers changes without a new revision. */
    facts_version: ColumnType<number, number | undefined, number>;
    /** 1 if its offers are a sample, not for sale. */
    is_sample: ColumnType<number, number | undefined, number>;
  };
  os_image: {
    provider: string;
    id: string;
    /** The image as served, in JSON. */
    body: string;
    /** JSON array of the instance types it is restricted to; empty for all. */
    instance_types: string;
    /** The live source that wrote it, and may replace it; null if it was imported by the operator. */
    source: string | null;
  };
  offer: OfferTable;
  /** Offers that a complete observation of their provider missed. */
  gone_offer: OfferTable & {
    /** When that was. */
    gone_at: string;
  };
  /** State of live sources: one row for each that was ever enabled. */
  live_source: {
    name: string;
    is_enabled: number;
    /** `list`, `marketplace` or `feed`. This and the next three columns copy its definition, for instances that don't sync. */
    kind: string;
    stock: string;
    interval_seconds: number;
    stale_after_seconds: number;
    drop_after_seconds: number;
    /** When it is due; null if now. */
    next_run_at: string | null;
    /** The process that runs it, and the end of its lease. */
    lease_owner: string | null;
    lease_until: string | null;
    /** When its last run ended, and how: `applied`, `unchanged`, `quarantined` or `failed`. */
    last_run_at: string | null;
    outcome: string | null;
    /** Failed runs in a row. */
    failures: number;
    /** 1 after 401 or 403: it isn't run again until its secrets change, or an operator syncs it. */
    is_stopped: number;
    /** Fingerprint of the secrets of the last run. */
    secrets_mark: string | null;
    /** When its offers were last confirmed by a response. */
    checked_at: string | null;
    /** When its offers last changed. */
    changed_at: string | null;
    /** When its responses last had an offer, and one that is in stock; null if unknown. */
    offered_at: string | null;
    in_stock_at: string | null;
    /** Since when all of its complete responses have been empty; null if the last one wasn't. */
    empty_since: string | null;
    error_code: string | null;
    error_message: string | null;
    error_at: string | null;
    /** JSON array of notes of the last run. */
    notes: string;
    /** JSON object of scope to `{ checked_at, error }`. */
    scopes: string;
  };
  /** A run that failed a gate, kept until it is accepted or a later run is applied: one per source. */
  live_quarantine: {
    source: string;
    first_at: string;
    last_at: string;
    /** Consecutive runs with nearly the same content. */
    runs: number;
    offers: number;
    /** JSON: the failed gates, and what would change. */
    report: string;
    /** Gzipped NDJSON of the items. */
    content: Buffer;
  };
  /** Cached responses with validators, for conditional requests. */
  live_response: {
    source: string;
    /** SHA-256 of method, URL and body of the request. */
    request: string;
    etag: string | null;
    last_modified: string | null;
    /** JSON: status and headers. */
    head: string;
    /** Gzipped body. */
    body: Buffer;
  };
  /** Ends of runs of live sources in the last two days. */
  source_run: {
    source: string;
    at: string;
    /** 1 if it applied or confirmed offers. */
    is_good: number;
  };
  /** Verified backups of the last weeks. */
  backup: {
    at: string;
    /** Size of the compressed file. */
    bytes: number;
    /** Size of the database at that time. */
    database_bytes: number;
    place: string;
  };
  offer_change: {
    id: GeneratedAlways<number>;
    revision: number;
    at: string;
    offer_id: string;
    provider: string;
    gpu_slug: string;
    /** `added`, `removed`, `price`, `disk`, `facts` or `stock`. */
    kind: string;
    /** JSON object of the changed fields before the change; null if the offer was added. A price is an array: see offer-history.ts. */
    before: string | null;
    /**
     * The same after the change: the whole offer if it was added, without an id only what differs from its removal if it
     * returned, and null if it was removed.
     */
    after: string | null;
  };
  offer_base: {
    id: string;
    /** The whole offer as JSON, at the start of the log of changes. */
    body: string;
    /** When it was removed, because it may return; null if it wasn't. */
    gone_at: ColumnType<string | null, string | null | undefined, string | null>;
  };
  offer_base_mark: {
    /** Always 1, because there is one row. */
    id: number;
    /** Number of the last change that is part of the base, and so may be removed from the log. */
    through_id: number;
    /** When that change was made. */
    at: string;
  };
  /** The log of observations: successful readings of providers. */
  observation: {
    id: GeneratedAlways<number>;
    /** The revision that it made; null if it changed nothing. */
    revision: number | null;
    provider: string;
    /** Live source; null for a file. */
    source: string | null;
    /** The part that was read; null for all of the provider. */
    scope: string | null;
    /** When it was read, or the date of a file. */
    at: string;
    /** Date of the prices as the source states it; null if it states none. */
    stated_at: string | null;
    /** 1 if everything that the provider offers was read. */
    is_complete: number;
    /** 1 if it says what is in stock. */
    knows_stock: number;
  };
  market_point: {
    gpu_slug: string;
    /** `day` or `hour`. */
    step: string;
    /** The day or the hour in UTC, such as `2026-11-01` or `2026-11-01T10`. */
    period: string;
    /** JSON object of provider to what its last reading of that time found. */
    sellers: string;
    /** JSON object of provider to an object of machine to price per GPU in USD per hour; null for an hour. */
    machines: string | null;
  };
  /** What hours, a day or a week left of a GPU, a family or a vendor; put together from `market_point` when it is written. */
  price_step: {
    /** The slug, or a hash of several. */
    name: string;
    /** `hour`, `day` or `week`. */
    step: string;
    /** The day, also of hours, or the Monday of a week. */
    period: string;
    /** JSON of the steps. See folded-steps.ts, also for the one row without a name. */
    folded: string;
  };
  offer_stock: OfferStockTable;
  /** What was seen of the stock of each GPU by provider, size and region: `+` if a machine was in stock. */
  gpu_stock: Omit<OfferStockTable, "offer_id" | "changed_at"> & {
    gpu_slug: string;
    gpu_count: number;
    region: string;
    /** Days before those of the changes: day since 1970, minutes observed and in stock, in base 36. */
    days: string;
    /** The day until which changes are folded to days. */
    folded_to: string;
  };
  account: {
    /** UUID. */
    id: string;
    /** As entered. */
    email: string;
    /** The address in lower case (Unicode), unique among accounts. */
    email_key: string;
    display_name: string;
    created_at: string;
    /** When it was disabled; null if it is enabled. */
    disabled_at: string | null;
  };
  api_key: {
    /** UUID that identifies the key. The key itself is not stored. */
    id: string;
    account_id: string;
    /** SHA-256 of the key in hexadecimal. */
    hash: string;
    label: string;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    last_used_at: string | null;
  };
  ledger_entry: {
    id: GeneratedAlways<number>;
    account_id: string;
    /** Chosen by the caller, unique in the account. */
    reference: string;
    /** Ten-thousandths of a dollar; negative for a debit. Written as bigint, read with `cast(... as text)`. */
    amount_e4: ColumnType<never, bigint, never>;
    /** Balance of the account after this entry: the previous balance plus the amount. Read and written like the amount. */
    balance_e4: ColumnType<never, bigint, never>;
    note: string;
    created_at: string;
  };
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
  /** The offer as served, in JSON. */
  body: string;
  /** Part of its live source that can fail independently, such as a zone; null if there are none. */
  scope: string | null;
  /** What its source states beyond the offer, in JSON; null if nothing. */
  listing: string | null;
}

/** What was seen of the stock of each offer in the last days. */
interface OfferStockTable {
  offer_id: string;
  provider: string;
  /** The part of its source that it belongs to, as in `offer`. */
  scope: string | null;
  /** What was seen last: `+` in stock, `-` sold out, `?` neither. */
  mark: string;
  changed_at: string;
  /** Minutes since 1970 in base 36, each followed by the mark from then on. */
  changes: string;
}
