import type { Step } from "./step.js";

/** It has shipped, so it is never edited. */
export const accounts: readonly Step[] = [
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
  {
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
  },
];
