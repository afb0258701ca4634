import type { Step } from "./step.js";

/** When sources last showed offers. Until now it was known of those that have some. */
export const lastSeen: readonly Step[] = [
  "alter table live_source add column offered_at {text}",
  "alter table live_source add column in_stock_at {text}",
  "alter table live_source add column empty_since {text}",
  `update live_source set offered_at = checked_at where name in (
    select provider.source from provider join offer on offer.provider = provider.name
  )`,
];
