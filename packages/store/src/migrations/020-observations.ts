import { foldLogs } from "./fold-logs.js";
import type { Step } from "./step.js";

/**
 * One log of observations. The log of prices goes, so that the write of an earlier build fails and is rolled back; what it
 * and the log of offers have observed is folded into the new tables.
 */
export const observations: readonly Step[] = [
  { sqlite: [], postgres: ["set local statement_timeout = 0", "set local work_mem = '128MB'"] },
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
      "create trigger offer_change_no_update before update on offer_change begin select raise(abort, 'offer_change is append-only'); end",
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
];
