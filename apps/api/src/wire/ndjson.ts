/** Media type of one JSON value per line. */
export const NDJSON_TYPE = "application/x-ndjson";

/** Whether a client asks for lines. */
export function wantsLines(accept: string | undefined): boolean {
  return accept?.split(",").some((item) => item.split(";")[0]?.trim().toLowerCase() === NDJSON_TYPE) === true;
}

/** Whether a client accepts compressed responses. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const found = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(acceptEncoding ?? "");
  return found !== null && Number(found[1] ?? 1) > 0;
}
