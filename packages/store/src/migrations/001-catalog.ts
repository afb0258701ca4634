import type { Step } from "./step.js";

/** It has shipped, so it is never edited. */
export const catalog: readonly Step[] = [
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
];
