import type { Step } from "./step.js";

/** It has shipped, so it is never edited. */
export const liveSources: readonly Step[] = [
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
];
