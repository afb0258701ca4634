import { FIRST_MIGRATIONS } from "./first-steps.js";
import { foldLogs } from "./fold-logs.js";
import { MAY_TAKE_LONG, OFFER_CHANGE_NO_UPDATE, type Steps } from "./step.js";

// The history of the tables, in plain SQL or code of its own, so that no change of other code changes it. A migration that
// has shipped is never edited (a test compares them); a change is a new one.

const PROVIDERS = `select provider.name from provider
  join catalog_revision on catalog_revision.created_at = provider.imported_at
  where catalog_revision.cause = 'starter catalog'`;

/** All migrations of this version, in order. */
export const MIGRATIONS = {
  ...FIRST_MIGRATIONS,
  /**
   * One log of observations. The log of prices goes, so that the write of an earlier build fails and is rolled back; what it
   * and the log of offers have observed is folded into the new tables.
   */
  "020-observations": [
    MAY_TAKE_LONG,
    `create table observation (
    id {serial},
    revision integer,
    provider {text} not null,
    source {text},
    scope {text},
    at {text} not null,
    stated_at {text},
    is_complete integer not null,
    knows_stock integer not null
  )`,
    "create index observation_provider on observation (provider, at)",
    `create table market_point (
    gpu_slug {text} not null,
    step {text} not null,
    period {text} not null,
    sellers {text} not null,
    machines {text},
    constraint market_point_key primary key (gpu_slug, step, period)
  )`,
    "create index market_point_period on market_point (step, period)",
    {
      sqlite: ["drop trigger offer_change_no_update", "drop trigger offer_change_no_delete"],
      postgres: [
        "drop trigger offer_change_no_change on offer_change",
        "drop trigger offer_change_no_delete on offer_change",
      ],
    },
    foldLogs,
    "drop table price_of_gpu",
    "drop table price_commit",
    "drop table price_log_start",
    {
      sqlite: [
        OFFER_CHANGE_NO_UPDATE,
        // Changes of stock are folded to days.
        `create trigger offer_change_no_delete before delete on offer_change
      when old.kind <> 'stock' and old.id > coalesce((select through_id from offer_base_mark), 0)
      begin select raise(abort, 'offer_change is append-only'); end`,
      ],
      postgres: [
        "create trigger offer_change_no_change before update or truncate on offer_change for each statement execute function offer_change_refuse()",
        `create trigger offer_change_no_delete before delete on offer_change for each row
      when (old.kind <> 'stock') execute function offer_change_keep()`,
      ],
    },
  ],
  /** Offers of the sample say so. Until now it was known by the revision that wrote them. */
  "021-sample": [
    "alter table provider add column is_sample integer not null default 0",
    `update provider set is_sample = 1 where name in (${PROVIDERS})`,
    `update offer set listing = case
    when listing is null then '{"sample":true}'
    else substr(listing, 1, length(listing) - 1) || ',"sample":true}' end
  where provider in (select name from provider where is_sample = 1)`,
  ],
  /** When sources last showed offers. Until now it was known of those that have some. */
  "022-last-seen": [
    "alter table live_source add column offered_at {text}",
    "alter table live_source add column in_stock_at {text}",
    "alter table live_source add column empty_since {text}",
    `update live_source set offered_at = checked_at where name in (
    select provider.source from provider join offer on offer.provider = provider.name
  )`,
  ],
  /** The memory of stock: changes of each offer, and of each GPU by provider, size and region. It begins empty. */
  "023-stock": [
    "create index observation_stock on observation (at) where knows_stock = 1",
    `create table offer_stock (
    offer_id {text} not null primary key,
    provider {text} not null,
    scope {text},
    mark {text} not null,
    changed_at {text} not null,
    changes {text} not null
  )`,
    "create index offer_stock_provider on offer_stock (provider)",
    `create table gpu_stock (
    gpu_slug {text} not null,
    provider {text} not null,
    gpu_count integer not null,
    region {text} not null,
    scope {text},
    mark {text} not null,
    changes {text} not null,
    days {text} not null,
    folded_to {text} not null,
    constraint gpu_stock_key primary key (provider, gpu_slug, gpu_count, region)
  )`,
  ],
  /** Offers that a complete observation of their provider missed. None are known at first. */
  "024-gone-offers": [
    `create table gone_offer (
    id {text} not null primary key,
    provider {text} not null references provider (name) on delete cascade,
    gpu_slug {text} not null,
    continent {text} not null,
    gpu_count integer not null,
    price_hourly double precision not null,
    price_per_gpu double precision not null,
    body {text} not null,
    scope {text},
    listing {text},
    gone_at {text} not null
  )`,
    "create index gone_offer_provider on gone_offer (provider)",
  ],
  /** Days and hours of GPUs, families and vendors. Those of the past are folded with later readings. */
  "025-market-steps": [
    `create table market_step (
    name {text} not null,
    step {text} not null,
    period {text} not null,
    folded {text} not null,
    constraint market_step_key primary key (name, step, period)
  )`,
    "create index market_step_period on market_step (step, period)",
  ],
  /**
   * Hours of a day are one row, and what was folded is folded again; the write of an earlier build fails and is rolled back.
   * The log of changes finds an offer by the start of its id.
   */
  "026-price-steps": [
    MAY_TAKE_LONG,
    "drop table market_step",
    `create table price_step (
    name {text} not null,
    step {text} not null,
    period {text} not null,
    folded {text} not null,
    constraint price_step_key primary key (name, step, period)
  )`,
    "create index price_step_period on price_step (step, period)",
    "alter table offer_base add column gone_at {text}",
    "drop index if exists offer_change_offer",
    "drop index if exists offer_change_provider",
    "create index offer_change_offer on offer_change (substr(offer_id, 1, 8))",
  ],
} satisfies Readonly<Record<string, Steps>>;
