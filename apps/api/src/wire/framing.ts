import type { IncomingMessage } from "node:http";
import { countHeader } from "../keys/bearer-key.js";
import { ORIGIN } from "./exchange.js";

// Rejects requests that Node's parser accepts although their framing is ambiguous or their protocol unsupported.

/** Maximum length of the request target (path and query) in characters. */
export const MAX_URL_LENGTH = 8_192;

/** Maximum bytes of request line and headers. */
export const MAX_HEADER_BYTES = 16_384;

/** Maximum number of headers, including repeated ones. */
const MAX_HEADERS = 100;

/** Status of the error for a request whose framing is invalid; undefined for a valid one. */
export function framingProblem({
  url = "",
  httpVersionMajor,
  httpVersionMinor,
  rawHeaders,
  headers,
}: IncomingMessage): number | undefined {
  const hosts = countHeader(rawHeaders, "host");
  // HTTP/1.0 has no Host; versions other than 1.x are not supported.
  if (httpVersionMajor !== 1 || hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) {
    return 400;
  }
  if (url.length > MAX_URL_LENGTH) {
    return 414;
  }
  if (rawHeaders.length > MAX_HEADERS * 2) {
    return 431;
  }
  // Clients must not send fragments; the router would parse one as a query.
  if (url.includes("#")) {
    return 400;
  }
  const coding = headers["transfer-encoding"];
  // HTTP/1.0 has no transfer encoding, and only chunked is supported.
  const isCodingSound = coding === undefined || (httpVersionMinor > 0 && coding.toLowerCase() === "chunked");
  if (!isHostSound(headers.host, url) || !isCodingSound) {
    return 400;
  }
  return headers.expect === undefined || headers.expect.toLowerCase() === "100-continue" ? undefined : 417;
}

/** A name or address with an optional port: RFC 9110, 7.2, without commas, which could join two hosts. */
const HOST = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** Whether a request names exactly one host. The host of an absolute URL must equal that of the header. */
function isHostSound(host: string | undefined, url: string): boolean {
  if (host === undefined) {
    return true;
  }
  const named = url.startsWith("/") ? undefined : ORIGIN.exec(url)?.[1];
  return HOST.test(host) && (named === undefined || named.toLowerCase() === host.toLowerCase());
}
