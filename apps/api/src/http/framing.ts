import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { ApiError } from "./api-error.js";
import { errorOfStatus } from "./api-error.js";
import type { Connections } from "./connections.js";
import { SECURITY_HEADERS } from "./security-headers.js";

// What is no sound HTTP request: what Node's parser refuses, and what it lets through though it should not.

/** Longest request target (path and query) in characters. */
export const MAX_URL_LENGTH = 8_192;

/** Bytes of request line and headers together. */
export const MAX_HEADER_BYTES = 16_384;

/** Headers of a request, repeated ones counted. */
const MAX_HEADERS = 100;

/** What stands before the path in a whole URL; the host is its first group. */
export const ORIGIN = /^https?:\/\/([^/?#]*)/i;

/**
 * Status of the refusal of what Node's parser lets through; undefined for a sound request. `originalUrl` is the URL as
 * it came, where the path was taken out of a whole one.
 */
export function framingFault({
  url: path = "",
  originalUrl: url = path,
  httpVersionMajor,
  httpVersionMinor,
  rawHeaders,
  headers,
}: IncomingMessage & { originalUrl?: string }): number | undefined {
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
  const [, named] = ORIGIN.exec(url) ?? [];
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

/** What Node's HTTP parser reports: `rawPacket` are the bytes that it read last. */
export interface ParserError extends Error {
  code?: string;
  rawPacket?: unknown;
}

/** The answer to bytes that are no HTTP request. */
export function errorOfParser(error: ParserError): ApiError {
  return errorOfStatus(statusOfParserError(error));
}

/**
 * Writes an error to a connection whose next bytes are no request, and ends it. Answers that are still on their way
 * to it come first and whole. A request that was answered before its body turned out to be broken gets no second answer.
 */
export function refuseConnection(socket: Socket, connections: Connections, answer: () => string): void {
  const { newest, pending = 0 } = connections.find(socket) ?? {};
  const isOfNewest = newest?.req.complete === false;
  if (newest === undefined || newest.writableFinished) {
    end(socket, isOfNewest ? undefined : answer);
  } else if (isOfNewest && pending === 1 && !newest.headersSent) {
    end(socket, answer);
  } else {
    newest.once("close", () => end(socket, isOfNewest ? undefined : answer));
  }
}

/** The parser may fail more than once on a connection; only the first time is answered. */
function end(socket: Socket, answer: (() => string) | undefined): void {
  if (socket.writable) {
    socket.end(answer?.() ?? "");
  }
}

/** An error as the bytes of an answer, for a connection that has no request to answer. */
export function errorBytes(error: ApiError, requestId: string): string {
  const body = JSON.stringify(error.toBody(requestId));
  const headers = {
    ...error.headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    ...SECURITY_HEADERS,
    "X-Request-Id": requestId,
    Connection: "close",
  };
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    body,
  ].join("\r\n");
}

function statusOfParserError(error: ParserError): number {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return error.rawPacket instanceof Buffer && startsWithLongLine(error.rawPacket) ? 414 : 431;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408;
    case undefined:
    default:
      return 400;
  }
}

/**
 * Whether the bytes start with a request line that is too long. Of a request in several packets only the
 * last is known, and there a long header is likelier than a long URL.
 */
function startsWithLongLine(bytes: Buffer): boolean {
  const lineEnd = bytes.indexOf("\r\n");
  return (lineEnd === -1 || lineEnd > MAX_HEADER_BYTES) && /^[A-Z-]+ /.test(bytes.toString("latin1", 0, 32));
}
