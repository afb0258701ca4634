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

/**
 * Headers of the moment, which are never remembered: the age of the prices, which moves without a new snapshot, and how
 * much of its hour an image list has used.
 */
export function ageHeaders({ isImageList, providers }: Representation, catalog: Catalog): FlatHeaders {
  const freshness = catalog.freshness.headersOf(providers);
  return isImageList ? ["Age", String(catalog.ageSeconds ?? 0), ...freshness] : freshness;
}
