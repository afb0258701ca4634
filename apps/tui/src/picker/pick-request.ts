import type { ListingQuery, KnownImages } from "@gpu-offers/domain";
import type { LaunchKind } from "@gpu-offers/domain/launching";
import type { ColumnId } from "@gpu-offers/list";
import type { OfferSource } from "../catalog/offer-source.js";
import type { SavedChoices } from "./saved-choices.js";
import type { Start } from "./state.js";

/** Input of a picker. */
export interface PickRequest {
  source: OfferSource;
  query: ListingQuery;
  /** Images of providers that were read to check the query. */
  images?: KnownImages | undefined;
  /** Preselected OS image; the image step is skipped if the provider has it. */
  imageId?: string | undefined;
  hiddenColumns?: readonly ColumnId[] | undefined;
  /** Whether current prices are fetched at once, without a server. */
  isLive?: boolean;
  /** Saved filters, latest first. */
  history?: readonly string[] | undefined;
  /** The kind of launch text that was chosen last. */
  launchKind?: LaunchKind | undefined;
  /** Whether it ends in the text that rents the choice, and not in JSON. */
  isText: boolean;
  /** Saves choices for the next start. */
  save?: ((choices: Partial<SavedChoices>) => void) | undefined;
}

/** The initial settings of a picker on a terminal of this size. */
export function startOf(
  { source, query, images, imageId, hiddenColumns, history, launchKind }: PickRequest,
  { columns, rows }: Pick<Start, "columns" | "rows">,
): Start {
  return {
    columns,
    rows,
    nowMs: Date.now(),
    place: source.place,
    sourceOptions: source.options,
    query,
    images,
    hasAccount: source.hasAccount,
    canFetch: source.live !== undefined,
    wantedImageId: imageId,
    hiddenColumns: new Set(hiddenColumns),
    history,
    launchKind,
  };
}
