import type { Account, Balance, ListedOffer, Offer, OsImage, PriceHistory } from "@gpu-offers/domain";
import type { CatalogAge } from "@gpu-offers/list";
import type { ListOrder, RejectedRow, SourceProgress } from "../catalog/offer-source.js";
import type { PickResult } from "../output/result.js";
import type { SavedChoices } from "./pick-request.js";
import type { Problem } from "../catalog/offer-source-error.js";
import type { ImageList } from "./image-list.js";
import type { Key } from "./keys.js";

export type PickerEvent =
  | { kind: "key"; key: Key }
  /** Pasted text, unmodified. */
  | { kind: "paste"; text: string }
  /** A click on a cell of the screen, from 0. */
  | { kind: "click"; column: number; row: number }
  /** An offer is chosen by its number, in prompts. */
  | { kind: "choose"; offer: Offer }
  | { kind: "resize"; columns: number; rows: number }
  | { kind: "tick"; nowMs: number }
  | { kind: "pages"; offers: readonly ListedOffer[]; total: number }
  | { kind: "age"; age: CatalogAge }
  /** The catalog changed while its pages were loading, so pages of this load are void. */
  | { kind: "restart" }
  | { kind: "loaded"; nowMs: number; rejected?: readonly RejectedRow[] }
  | { kind: "loadFailed"; problem: Problem; nowMs: number; retryAtMs?: number | undefined }
  | (ImageList & { kind: "images"; images: readonly OsImage[]; problem?: Problem | undefined; nowMs: number })
  /** The price history of an offer; undefined if the source has none. */
  | { kind: "history"; offerId: string; history: PriceHistory | undefined }
  | { kind: "live"; progress: SourceProgress | undefined; nowMs: number }
  /** No key was pressed for a while, so prefetch. */
  | { kind: "idle"; nowMs: number }
  | { kind: "credit"; account?: Account | undefined; balance?: Balance | undefined; problem?: Problem | undefined }
  /** The chosen offer's current state; undefined if it is gone. `number` is that of the check's command. */
  | ({ kind: "checked"; number: number } & (
      | { offer: ListedOffer | undefined; images: readonly OsImage[]; asOf: string; problem?: undefined }
      | { problem: Problem }
    ))
  /** A page was opened in a browser, or there is none. */
  | { kind: "opened"; url: string; isOpen: boolean };

/** A side effect to perform. */
export type Command =
  | { kind: "load"; order: ListOrder }
  | (ImageList & { kind: "readImages" })
  | { kind: "readHistory"; offerId: string }
  | { kind: "readCredit" }
  /** Rechecks an offer. The number tells its response from those of earlier checks. */
  | { kind: "check"; number: number; offer: Offer }
  | { kind: "copy"; text: string }
  | { kind: "open"; url: string }
  | { kind: "suspend" }
  | { kind: "redraw" }
  /** Fetches live prices, without a server. */
  | { kind: "fetchLive" }
  | { kind: "save"; choices: Partial<SavedChoices> }
  /** Ends the picker; without a result if it was canceled. */
  | { kind: "exit"; result?: PickResult };
