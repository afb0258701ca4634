import { IMAGE_LIST_LIFETIME_SECONDS } from "@gpu-offers/domain";
import type { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import type { FlatHeaders } from "./response-headers.js";

/**
 * Headers of every response that is made of the catalog, on both ways (Nest and memory), 304 included. This is the one
 * place for headers that follow from the snapshot: {@link Snapshot.headers} are among them.
 * @param isPrivate true if only callers with a key may have the catalog.
 */
export function catalogHeaders({ snapshot, isImageList }: Representation, isPrivate: boolean): FlatHeaders {
  const scope = isPrivate ? "private" : "public";
  return [
    "ETag",
    snapshot.etag,
    "Cache-Control",
    isImageList ? `${scope}, max-age=${IMAGE_LIST_LIFETIME_SECONDS}` : `${scope}, no-cache`,
    ...snapshot.headers,
  ];
}

/** How much of its hour an image list has used: of the moment, so it is never remembered. */
export function ageHeaders({ isImageList }: Representation, { ageSeconds = 0 }: Catalog): FlatHeaders {
  return isImageList ? ["Age", String(ageSeconds)] : [];
}
