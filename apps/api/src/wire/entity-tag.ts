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
