import { MAY_TAKE_LONG, OFFER_CHANGE_NO_UPDATE, type Step, type Steps } from "./step.js";

// Accounts, ledger, catalog, live sources and the logs before observations.

/** Entries are added, never changed. */
const LEDGER_IS_APPEND_ONLY: Step = {
  sqlite: [
    "create trigger ledger_entry_no_update before update on ledger_entry begin select raise(abort, 'ledger_entry is append-only'); end",
    "create trigger ledger_entry_no_delete before delete on ledger_entry begin select raise(abort, 'ledger_entry is append-only'); end",
    // "insert or replace" removes rows without firing delete triggers.
    "create trigger ledger_entry_no_replace before insert on ledger_entry when exists (select 1 from ledger_entry where id = new.id or account_id = new.account_id and reference = new.reference) begin select raise(abort, 'ledger_entry is append-only'); end",
  ],
  postgres: [
    "create function ledger_entry_refuse() returns trigger language plpgsql as $$ begin raise exception 'ledger_entry is append-only'; end $$",
    "create trigger ledger_entry_no_change before update or delete or truncate on ledger_entry for each statement execute function ledger_entry_refuse()",
  ],
};

/** The migrations before 020, in order. */
export const FIRST_MIGRATIONS = {
  "001-catalog": [
    `create table catalog_revision (
    revision {serial},
    mark {text} not null,
    created_at {text} not null,
    cause {text} not null,
    added integer not null,
    changed integer not null,
    removed integer not null,
    refused integer not null
  )`,
    `create table provider (
    name {text} not null primary key,
    type {text} not null,
    as_of {text}
  )`,
    `create table os_image (
    provider {text} not null references provider (name) on delete cascade,
    id {text} not null,
    body {text} not null,
    instance_types {text} not null,
    constraint os_image_key primary key (provider, id)
  )`,
    `create table offer (
    id {text} not null primary key,
    provider {text} not null references provider (name) on delete cascade,
    gpu_slug {text} not null,
    continent {text} not null,
    gpu_count integer not null,
    price_hourly double precision not null,
    price_per_gpu double precision not null,
    body {text} not null
  )`,
    "create index offer_provider on offer (provider)",
  ],
  "002-accounts": [
    `create table account (
    id {text} not null primary key,
    email {text} not null,
    email_key {text} not null unique,
    display_name {text} not null,
    created_at {text} not null,
    disabled_at {text}
  )`,
    `create table api_key (
    id {text} not null primary key,
    account_id {text} not null references account (id),
    hash {text} not null unique,
    label {text} not null,
    created_at {text} not null,
    expires_at {text},
    revoked_at {text},
    last_used_at {text}
  )`,
    "create index api_key_account on api_key (account_id)",
    `create table ledger_entry (
    id {serial},
    account_id {text} not null references account (id),
    reference {text} not null,
    amount_e4 bigint not null,
    note {text} not null,
    created_at {text} not null,
    constraint ledger_entry_reference unique (account_id, reference)
  )`,
    LEDGER_IS_APPEND_ONLY,
  ],
  "003-running-balance": [
    MAY_TAKE_LONG,
    "alter table ledger_entry add column balance_e4 bigint default 0 not null",
    {
      sqlite: [
        "drop trigger ledger_entry_no_update",
        "drop trigger ledger_entry_no_delete",
        "drop trigger ledger_entry_no_replace",
      ],
      postgres: ["drop trigger ledger_entry_no_change on ledger_entry", "drop function ledger_entry_refuse()"],
    },
    `update ledger_entry set balance_e4 = chain.balance_e4
  from (
    select id, sum(amount_e4) over (partition by account_id order by id) as balance_e4 from ledger_entry
  ) as chain
  where chain.id = ledger_entry.id`,
    LEDGER_IS_APPEND_ONLY,
    "create index ledger_entry_account on ledger_entry (account_id, id)",
    {
      sqlite: [
        // After the insert, because only then the entry has its number.
        `create trigger ledger_entry_follows after insert on ledger_entry
      when new.balance_e4 < 0
        or new.balance_e4 is not new.amount_e4 + coalesce((
          select balance_e4 from ledger_entry where account_id = new.account_id and id < new.id order by id desc limit 1
        ), 0)
        or exists (select 1 from ledger_entry where account_id = new.account_id and id > new.id)
      begin select raise(abort, 'ledger_entry: the balance does not follow from the entry before'); end`,
      ],
      postgres: [
        // The trigger takes the lock itself, for writers that don't. A transaction with a fixed snapshot wouldn't see entries
        // committed while it waited for the lock.
        `create function ledger_entry_follow() returns trigger language plpgsql as $$
      declare
        last record;
      begin
        if current_setting('transaction_isolation') = 'repeatable read' then
          raise exception 'ledger_entry: cannot be written in repeatable read';
        end if;
        perform from account where id = new.account_id for no key update;
        select id, balance_e4 into last from ledger_entry where account_id = new.account_id order by id desc limit 1;
        if new.id <= last.id or new.balance_e4 < 0 or new.balance_e4 <> new.amount_e4 + coalesce(last.balance_e4, 0) then
          raise exception 'ledger_entry: the balance does not follow from the entry before';
        end if;
        return new;
      end $$`,
        "create trigger ledger_entry_follows before insert on ledger_entry for each row execute function ledger_entry_follow()",
      ],
    },
  ],
  "004-live-sources": [
    "alter table provider add column source {text}",
    "alter table provider add column imported_at {text}",
    "alter table offer add column scope {text}",
    `create table live_source (
    name {text} not null primary key,
    is_enabled integer not null,
    kind {text} not null,
    stock {text} not null,
    interval_seconds integer not null,
    stale_after_seconds integer not null,
    drop_after_seconds integer not null,
    next_run_at {text},
    lease_owner {text},
    lease_until {text},
    last_run_at {text},
    outcome {text},
    failures integer not null,
    is_stopped integer not null,
    secrets_mark {text},
    checked_at {text},
    changed_at {text},
    error_code {text},
    error_message {text},
    error_at {text},
    notes {text} not null,
    scopes {text} not null
  )`,
    `create table live_quarantine (
    source {text} not null primary key,
    first_at {text} not null,
    last_at {text} not null,
    runs integer not null,
    offers integer not null,
    report {text} not null,
    content {bytes} not null
  )`,
    `create table live_response (
    source {text} not null,
    request {text} not null,
    etag {text},
    last_modified {text},
    head {text} not null,
    body {bytes} not null,
    constraint live_response_key primary key (source, request)
  )`,
  ],
  "005-history": [
    MAY_TAKE_LONG,
    `create table offer_change (
    id {serial},
    revision integer not null,
    at {text} not null,
    offer_id {text} not null,
    provider {text} not null,
    gpu_slug {text} not null,
    kind {text} not null,
    before {text},
    after {text}
  )`,
    "create index offer_change_offer on offer_change (offer_id, id)",
    "create index offer_change_provider on offer_change (provider, id)",
    `create table offer_base (
    id {text} not null primary key,
    body {text} not null
  )`,
    `create table offer_base_mark (
    id integer not null primary key,
    through_id bigint not null,
    at {text} not null
  )`,
    // The log begins with the current offers, added by the current revision.
    `insert into offer_change (revision, at, offer_id, provider, gpu_slug, kind, before, after)
  select newest.revision, newest.created_at, offer.id, offer.provider, offer.gpu_slug, 'added', null, offer.body
  from offer, (select revision, created_at from catalog_revision order by revision desc limit 1) as newest
  order by offer.id`,
    {
      sqlite: [
        OFFER_CHANGE_NO_UPDATE,
        `create trigger offer_change_no_delete before delete on offer_change
      when old.id > coalesce((select through_id from offer_base_mark), 0)
      begin select raise(abort, 'offer_change is append-only'); end`,
        `create trigger offer_change_no_replace before insert on offer_change
      when exists (select 1 from offer_change where id = new.id)
      begin select raise(abort, 'offer_change is append-only'); end`,
      ],
      postgres: [
        "create function offer_change_refuse() returns trigger language plpgsql as $$ begin raise exception 'offer_change is append-only'; end $$",
        "create trigger offer_change_no_change before update or truncate on offer_change for each statement execute function offer_change_refuse()",
        `create function offer_change_keep() returns trigger language plpgsql as $$
      begin
        if old.id > coalesce((select through_id from offer_base_mark), 0) then
          raise exception 'offer_change is append-only';
        end if;
        return old;
      end $$`,
        "create trigger offer_change_no_delete before delete on offer_change for each row execute function offer_change_keep()",
      ],
    },
  ],
  "006-changes-of-revision": [MAY_TAKE_LONG, "create index offer_change_revision on offer_change (revision)"],
  "010-prices": [
    `create table price_commit (
    id {serial},
    revision integer not null,
    provider {text} not null,
    dated_at {text} not null,
    hour {text} not null,
    committed_at {text} not null
  )`,
    "create index price_commit_provider on price_commit (provider, hour)",
    `create table price_of_gpu (
    commit_id integer not null references price_commit (id) on delete cascade,
    gpu_slug {text} not null,
    prices {text} not null,
    regions {text} not null,
    constraint price_of_gpu_key primary key (commit_id, gpu_slug)
  )`,
    "create index price_of_gpu_slug on price_of_gpu (gpu_slug)",
    `create table price_log_start (
    id integer not null primary key,
    revision integer not null,
    at {text} not null
  )`,
    `insert into price_log_start (id, revision, at)
  select 1, revision, created_at from catalog_revision order by revision desc limit 1`,
  ],
  /** What sources state beyond offers, the version of that, and who wrote an image. */
  "011-listings": [
    "alter table offer add column listing {text}",
    "alter table provider add column facts_version integer not null default 0",
    "alter table os_image add column source {text}",
    // Images of the first starter catalog were examples, not an operator's: a live source may replace them.
    `update os_image set source = 'starter' where body like '%(example)"%'`,
  ],
  "013-operation": [
    `create table source_run (
    source {text} not null,
    at {text} not null,
    is_good integer not null,
    constraint source_run_key primary key (source, at)
  )`,
    `create table backup (
    at {text} not null primary key,
    bytes bigint not null,
    database_bytes bigint not null,
    place {text} not null
  )`,
  ],
} satisfies Readonly<Record<string, Steps>>;
