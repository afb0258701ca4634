import type { Step } from "./step.js";

const PROVIDERS = `select provider.name from provider
  join catalog_revision on catalog_revision.created_at = provider.imported_at
  where catalog_revision.cause = 'starter catalog'`;

/** Offers of the sample say so. Until now it was known by the revision that wrote them. */
export const sample: readonly Step[] = [
  "alter table provider add column is_sample integer not null default 0",
  `update provider set is_sample = 1 where name in (${PROVIDERS})`,
  `update offer set listing = case
    when listing is null then '{"sample":true}'
    else substr(listing, 1, length(listing) - 1) || ',"sample":true}' end
  where provider in (select name from provider where is_sample = 1)`,
];
