import { badKeys } from "./bad-keys.ts";
import { databaseGone } from "./database-gone.ts";
import { drippingSockets } from "./dripping-sockets.ts";
import { errorLayers } from "./error-layers.ts";
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
import { shutdown } from "./shutdown.ts";
import { steadyHour } from "./steady-hour.ts";
import { threeInstances } from "./three-instances.ts";
import { twoWriters } from "./two-writers.ts";

/** Every row, in the order of the table. */
export const rows: readonly Row[] = [
  generatedRequests,
  errorLayers,
  framing,
  drippingSockets,
  requestCost,
  hostileInput,
  badKeys,
  markedKeys,
  killLedger,
  killImport,
  killSync,
  hostileImport,
  twoWriters,
  databaseGone,
  threeInstances,
  shutdown,
  steadyHour,
];
