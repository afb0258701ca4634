import { IMAGE_LIST_LIFETIME_SECONDS } from "@gpu-offers/domain";
import type { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import type { FlatHeaders } from "./response-headers.js";

/**
 * Headers of every catalog response, including 304. The age of its prices changes without a new snapshot.
 * @param isPrivate whether the catalog requires a key.
 */
export function catalogHeaders(
  { etag, isImageList, providers, traits }: Representation,
  catalog: Catalog,
  isPrivate: boolean,
): FlatHeaders {
  const { asOf, stale } = catalog.freshness.ageOf(providers);
  return [
    "ETag",
    etag,
    "Cache-Control",
    cacheControl(isPrivate, isImageList ? IMAGE_LIST_LIFETIME_SECONDS : 0),
    ...(traits.listings === undefined ? [] : ["Vary", "Accept"]),
    ...(isImageList ? ["Age", String(catalog.ageSeconds ?? 0)] : []),
    ...(asOf === undefined ? [] : ["Catalog-As-Of", asOf]),
    ...(stale.length === 0 ? [] : ["Catalog-Stale-Providers", stale.join(",")]),
  ];
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
