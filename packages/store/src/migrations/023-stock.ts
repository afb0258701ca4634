import type { Step } from "./step.js";

/** The memory of stock: changes of each offer, and of each GPU by provider, size and region. It begins empty. */
export const stock: readonly Step[] = [
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
];
