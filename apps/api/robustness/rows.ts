import { badKeys } from "./bad-keys.ts";
import { everyMethod } from "./every-method.ts";
import { framing } from "./framing.ts";
import { generatedRequests } from "./generated-requests.ts";
import { hostileInput } from "./hostile-input.ts";
import { killImport } from "./kill-import.ts";
import { killLedger } from "./kill-ledger.ts";
import { markedKeys } from "./marked-keys.ts";
import type { Row } from "./row.ts";
import { twoWriters } from "./two-writers.ts";

/** Every row, in the order of the table. */
export const rows: readonly Row[] = [
  generatedRequests,
  everyMethod,
  framing,
  hostileInput,
  badKeys,
  markedKeys,
  killLedger,
  killImport,
  twoWriters,
];
