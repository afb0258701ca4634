import type { Step } from "./step.js";

export const operation: readonly Step[] = [
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
];
