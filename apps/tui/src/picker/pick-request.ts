import type { AnySortKey, KnownImages, ListingQuery, SortOrder } from "@gpu-offers/domain";
import type { LaunchKind } from "@gpu-offers/domain/launching";
import type { ColumnId } from "@gpu-offers/list";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT } from "../exit-codes.js";
import { pickedText, resultLine, type PickResult } from "../output/result.js";
import { summaryParts } from "../output/offer-words.js";

// What a picker is opened with, and what it ends with.

/** Choices that are saved between starts of the picker. */
export interface SavedChoices {
  /** Only offers that are available. */
  available: boolean;
  sort: AnySortKey;
  order: SortOrder;
  hiddenColumns: readonly ColumnId[];
  /** Saved filters, latest first. */
  filters: readonly string[];
  /** The kind of launch text that was chosen last. */
  launchKind: LaunchKind | undefined;
}

/** Input of a picker. The query has the saved order, and whether only available offers are shown. */
export interface PickRequest extends Partial<Pick<SavedChoices, "hiddenColumns" | "filters" | "launchKind">> {
  source: OfferSource;
  query: ListingQuery;
  /** Images of providers that were read to check the query. */
  images?: KnownImages | undefined;
  /** Preselected OS image; the image step is skipped if the provider has it. */
  imageId?: string | undefined;
  /** Whether current prices are fetched at once, without a server. */
  isLive?: boolean;
  /** Whether it ends in the text that rents the choice, and not in JSON. */
  isText: boolean;
  save?: ((choices: Partial<SavedChoices>) => void) | undefined;
}

export interface PickOutcome {
  exitCode: number;
  /** Text for standard output. */
  output: string;
  /** What was chosen, for standard error. */
  message?: string;
}

/**
 * The outcome of a session: of its result, or of none if it was canceled.
 * @param isText Whether it ends in the text that rents the choice, and not in JSON.
 */
export function endedOutcome(result: PickResult | undefined, isText: boolean): PickOutcome {
  if (result === undefined) {
    return { exitCode: EXIT.canceled, output: "" };
  }
  const { offer, deployment } = result;
  const words = summaryParts(offer, deployment.disk_gb, undefined).map(({ text }) => text);
  return {
    exitCode: EXIT.ok,
    output: isText ? pickedText(result) : resultLine(result),
    message: `chosen: ${words.join(", ")}.`,
  };
}
