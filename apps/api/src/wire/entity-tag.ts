import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The entity tag of bytes that belong to no catalog: their hash. */
export function contentTag(body: Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/** Whether the caller has the tagged body already: If-None-Match names the tag, compared weakly (RFC 9110, 13.1.2). */
export function hasTag({ "if-none-match": header }: IncomingHttpHeaders, etag: string): boolean {
  return (
    header !== undefined &&
    (header === etag ||
      header.trim() === "*" ||
      header.split(",").some((item) => {
        const tag = item.trim();
        return tag === etag || (tag.startsWith("W/") && tag.slice(2) === etag);
      }))
  );
}
