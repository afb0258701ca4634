import type { IncomingMessage } from "node:http";
import { ORIGIN } from "./exchange.js";

// Requests that Node's parser accepts, though their framing is ambiguous or they ask for what is not spoken here.

/** Longest request target (path and query) in characters. */
export const MAX_URL_LENGTH = 8_192;

/** Bytes of request line and headers together. */
export const MAX_HEADER_BYTES = 16_384;

/** Headers of a request, repeated ones counted. */
const MAX_HEADERS = 100;

/** Status of the error for a request whose framing is invalid; undefined for a valid one. */
export function framingProblem({
  url = "",
  httpVersionMajor,
  httpVersionMinor,
  rawHeaders,
  headers,
}: IncomingMessage): number | undefined {
  const hosts = countHosts(rawHeaders);
  // HTTP/1.0 knows no Host; older and newer versions than 1.x are not spoken here.
  if (httpVersionMajor !== 1 || hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) {
    return 400;
  }
  if (url.length > MAX_URL_LENGTH) {
    return 414;
  }
  if (rawHeaders.length > MAX_HEADERS * 2) {
    return 431;
  }
  // A fragment stays with the caller; the router would take it for a query.
  if (url.includes("#")) {
    return 400;
  }
  const coding = headers["transfer-encoding"];
  // HTTP/1.0 knows no transfer encoding, and no other than this one is spoken here.
  const isCodingSound = coding === undefined || (httpVersionMinor > 0 && coding.toLowerCase() === "chunked");
  if (!isHostSound(headers.host, url) || !isCodingSound) {
    return 400;
  }
  return headers.expect === undefined || headers.expect.toLowerCase() === "100-continue" ? undefined : 417;
}

/** A name or an address with an optional port: RFC 9110, 7.2, without the comma, which could make two of one. */
const HOST = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** Whether a request names one host. A whole URL for a path is sound when it names that of the header. */
function isHostSound(host: string | undefined, url: string): boolean {
  if (host === undefined) {
    return true;
  }
  const named = url.startsWith("/") ? undefined : ORIGIN.exec(url)?.[1];
  return HOST.test(host) && (named === undefined || named.toLowerCase() === host.toLowerCase());
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts++;
    }
  }
  return hosts;
}
