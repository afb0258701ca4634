import type { Step } from "./step.js";

/** It has shipped, so it is never edited. */
export const runningBalance: readonly Step[] = [
  {
    sqlite: [],
    // Enough to sort a million entries in memory; with the default of 4 MB it takes twice as long.
    postgres: ["set local statement_timeout = 0", "set local work_mem = '128MB'"],
  },
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
  {
    sqlite: [
      "create trigger ledger_entry_no_update before update on ledger_entry begin select raise(abort, 'ledger_entry is append-only'); end",
      "create trigger ledger_entry_no_delete before delete on ledger_entry begin select raise(abort, 'ledger_entry is append-only'); end",
      "create trigger ledger_entry_no_replace before insert on ledger_entry when exists (select 1 from ledger_entry where id = new.id or account_id = new.account_id and reference = new.reference) begin select raise(abort, 'ledger_entry is append-only'); end",
    ],
    postgres: [
      "create function ledger_entry_refuse() returns trigger language plpgsql as $$ begin raise exception 'ledger_entry is append-only'; end $$",
      "create trigger ledger_entry_no_change before update or delete or truncate on ledger_entry for each statement execute function ledger_entry_refuse()",
    ],
  },
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
];
