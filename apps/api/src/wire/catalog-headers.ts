import { IMAGE_LIST_LIFETIME_SECONDS } from "@gpu-offers/domain";
import type { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import type { FlatHeaders } from "./response-headers.js";

/**
 * Headers of every catalog response, from Nest or memory, including 304. The only place for headers that depend on the
 * snapshot: they include {@link Snapshot.headers}.
 * @param isPrivate whether the catalog requires a key.
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
 * Headers that are never cached: the age of the prices, which changes without a new snapshot, and the age of an image
 * list.
 */
export function ageHeaders({ isImageList, providers }: Representation, catalog: Catalog): FlatHeaders {
  const freshness = catalog.freshness.headersOf(providers);
  return isImageList ? ["Age", String(catalog.ageSeconds ?? 0), ...freshness] : freshness;
}
