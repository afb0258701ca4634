import type { Step } from "./step.js";

/** It has shipped, so it is never edited. */
export const changesOfRevision: readonly Step[] = [
  {
    sqlite: [],
    postgres: ["set local statement_timeout = 0", "set local work_mem = '128MB'"],
  },
  "create index offer_change_revision on offer_change (revision)",
];
