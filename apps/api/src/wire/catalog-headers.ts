import { IMAGE_LIST_LIFETIME_SECONDS } from "@gpu-offers/domain";
import type { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import type { FlatHeaders } from "./response-headers.js";

/**
 * Headers of every catalog response, from Nest or memory, including 304.
 * @param isPrivate whether the catalog requires a key.
 */
export function catalogHeaders({ etag, isImageList, traits }: Representation, isPrivate: boolean): FlatHeaders {
  const maxAgeSeconds = isImageList ? IMAGE_LIST_LIFETIME_SECONDS : 0;
  const vary = traits.listings === undefined ? [] : ["Vary", "Accept"];
  return ["ETag", etag, "Cache-Control", cacheControl(isPrivate, maxAgeSeconds), ...vary];
}

/**
 * The Cache-Control header of a response.
 * @param isPrivate whether it is only for callers with a key.
 * @param maxAgeSeconds how long a cache may reuse it without revalidation; 0 if it must always revalidate.
 */
export function cacheControl(isPrivate: boolean, maxAgeSeconds: number): string {
  const scope = isPrivate ? "private" : "public";
  return maxAgeSeconds === 0 ? `${scope}, no-cache` : `${scope}, max-age=${maxAgeSeconds}`;
}

/**
 * Headers that are never cached: the age of the prices, which changes without a new snapshot, and the age of an image
 * list.
 */
export function ageHeaders({ isImageList, providers }: Representation, catalog: Catalog): FlatHeaders {
  const { asOf, stale } = catalog.freshness.ageOf(providers);
  return [
    ...(isImageList ? ["Age", String(catalog.ageSeconds ?? 0)] : []),
    ...(asOf === undefined ? [] : ["Catalog-As-Of", asOf]),
    ...(stale.length === 0 ? [] : ["Catalog-Stale-Providers", stale.join(",")]),
  ];
}
