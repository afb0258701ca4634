import type { Step } from "./step.js";

/** What sources state beyond offers, the version of that, and who wrote an image. */
export const listings: readonly Step[] = [
  "alter table offer add column listing {text}",
  "alter table provider add column facts_version integer not null default 0",
  "alter table os_image add column source {text}",
  // Images of the first starter catalog were examples, not an operator's: a live source may replace them.
  `update os_image set source = 'starter' where body like '%(example)"%'`,
];
