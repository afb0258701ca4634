import { generatedRequests } from "./generated-requests.ts";
import type { Row } from "./row.ts";

/** Every row, in the order of the table. */
export const rows: readonly Row[] = [generatedRequests];
