import type { Step } from "./step.js";

/** It has shipped, so it is never edited. */
export const history: readonly Step[] = [
  {
    sqlite: [],
    postgres: ["set local statement_timeout = 0", "set local work_mem = '128MB'"],
  },
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
      "create trigger offer_change_no_update before update on offer_change begin select raise(abort, 'offer_change is append-only'); end",
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
];
