import type { Step } from "./step.js";

export const prices: readonly Step[] = [
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
];
