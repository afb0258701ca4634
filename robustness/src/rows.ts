import { framing } from "./framing.ts";
import { generatedRequests } from "./generated-requests.ts";
import { hostileImport } from "./hostile-import.ts";
import { hostileInput } from "./hostile-input.ts";
import { killImport } from "./kill-import.ts";
import { killSync } from "./kill-sync.ts";
import { killLedger } from "./kill-ledger.ts";
import { markedKeys } from "./marked-keys.ts";
import { requestCost } from "./request-cost.ts";
import type { Row } from "./row.ts";
import { steadyHour } from "./steady-hour.ts";
import { twoWriters } from "./two-writers.ts";

/** Every row, in the order of the table. */
export const rows: readonly Row[] = [
  generatedRequests,
  framing,
  requestCost,
  hostileInput,
  markedKeys,
  killLedger,
  killImport,
  killSync,
  hostileImport,
  twoWriters,
  steadyHour,
];
