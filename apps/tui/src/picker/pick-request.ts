import type { OfferSource } from "../catalog/offer-source.js";
import type { ColumnId } from "../output/columns.js";
import type { Query } from "../query/query.js";
import type { KeptChoices } from "./kept-choices.js";

/** What a picker is opened with, whichever way it is shown. */
export interface PickRequest {
  source: OfferSource;
  query: Query;
  /** OS image that the deployment should use; its step is skipped where the provider has it. */
  imageId?: string | undefined;
  hiddenColumns?: readonly ColumnId[] | undefined;
  /** Filters of earlier pickers, the latest one first. */
  history?: readonly string[] | undefined;
  /** Remembers choices for the next start. */
  keep?: ((choices: Partial<KeptChoices>) => void) | undefined;
}

/** How a picker ended: the exit code of the process, and what it prints on standard output. */
export interface PickOutcome {
  exitCode: number;
  output: string;
}
