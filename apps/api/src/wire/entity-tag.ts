import { createHash } from "node:crypto";

/** The entity tag of bytes that belong to no catalog: their hash. */
export function contentTag(body: Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
}

/** Whether an If-None-Match header names the tag; compared weakly, as RFC 9110 (13.1.2) says. */
export function namesTag(header: string, etag: string): boolean {
  return (
    header === etag ||
    header.trim() === "*" ||
    header.split(",").some((item) => {
      const tag = item.trim();
      return tag === etag || (tag.startsWith("W/") && tag.slice(2) === etag);
    })
  );
}
