// What live sources are made of, for sources of your own: `@gpu-offers/sources/kit`.

export {
  isFailure,
  type LiveContext,
  type LiveFailure,
  type LiveItem,
  type LiveReply,
  type LiveRequest,
  type LiveResponse,
  type LiveSource,
} from "./live/live-source.js";
export { bearer, defineSource, pagesOf, type StatedRequest } from "./live/define-source.js";
export { LiveOffers, uniqueOffers, type LiveRow } from "./live/live-offers.js";
export type { ReadDisk, StatedDisk } from "./machine-disk.js";
export { liveImages, type LiveImage } from "./live/live-images.js";
export { optionalPart, readScope, scopeItems, type OptionalPart } from "./live/part.js";
export { replaySource, type ReplayedRun } from "./live/replay-source.js";
export {
  bodyOf,
  decimalSchema,
  entriesOf,
  jsonOf,
  listIn,
  listOf,
  listUnder,
  nameSchema,
  nestedRowsOf,
  responsesOf,
  rowsIn,
  rowsOf,
  sizeSchema,
  usableRows,
  valueOf,
  type ParsedRow,
} from "./live/response.js";
export { Rejection, type RejectionCode } from "./rejection.js";
export { SourceError } from "./source-error.js";
