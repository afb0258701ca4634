import { createHash } from "node:crypto";

// Entity tags of what is read from a catalog. They are strong: the same tag means the same bytes.

/**
 * The tag of v1's responses.
 * @param formatVersion Changes with the software when the same catalog would be written differently.
 * @param staleMark Identifies the stale parts (see Freshness), which change availability.
 */
export function catalogTag(
  { revision, mark }: { revision: number; mark: string },
  formatVersion: string,
  staleMark: string,
): string {
  return `"${revision}-${mark}-${formatVersion}${staleMark === "" ? "" : `-${staleMark}`}"`;
}

/**
 * The tag of listings, made from that of the catalog. What comes after the tilde is the age of prices, which doesn't affect
 * what matches or its order.
 * @param factsMark Identifies what sources state beyond the offers.
 * @param ages The age of the prices of each provider, as JSON.
 */
export function listingsTag(catalog: string, factsMark: string, ages: string): string {
  return `${unclosed(catalog)}-${shortHash(factsMark)}~${shortHash(ages)}"`;
}

export function linesTag(listings: string, isCompressed: boolean): string {
  return `${unclosed(listings)}-lines${isCompressed ? "-gzip" : ""}"`;
}

function unclosed(tag: string): string {
  return tag.slice(0, -1);
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 10);
}
