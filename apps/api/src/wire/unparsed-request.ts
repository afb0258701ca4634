import type { Socket } from "node:net";
import { errorHeaders, errorOfStatus, type ApiError } from "./api-error.js";
import type { Connections } from "./connections.js";
import { MAX_HEADER_BYTES } from "./framing.js";
import { headerPairs, type FlatHeaders } from "./response-headers.js";
import { STATUS_CODES } from "./server.js";

// Errors for bytes that aren't an HTTP request. Node has no response object for them, so they are written to the socket.

/** Error of Node's HTTP parser; `rawPacket` holds the bytes that it read last, of which it parsed some. */
export interface ParserError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: unknown;
}

/** The error for bytes that aren't an HTTP request. */
export function errorOfParser({ code, rawPacket }: ParserError): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") {
    return errorOfStatus(rawPacket instanceof Buffer && startsWithLongLine(rawPacket) ? 414 : 431);
  }
  return errorOfStatus(code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400);
}

/** The Origin header among the bytes that the parser read last; undefined if there is none. */
export function originOfParserError({ rawPacket }: ParserError): string | undefined {
  return rawPacket instanceof Buffer
    ? /\r?\norigin:[ \t]*([^\s]+)[ \t]*\r?\n/i.exec(rawPacket.toString("latin1"))?.[1]
    : undefined;
}

/** Whether the request that isn't one begins with HEAD, so that its response has no body. */
export function isHeadOfParserError({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (!(rawPacket instanceof Buffer)) {
    return false;
  }
  const before = rawPacket.toString("latin1", 0, bytesParsed).replace(/\r\n\r\n$/, "");
  return rawPacket
    .toString("latin1", before.lastIndexOf("\r\n\r\n") + 1)
    .trimStart()
    .startsWith("HEAD ");
}

/**
 * Writes an error to a connection whose next bytes aren't a request, and ends it. Pending responses are sent first, in
 * full. If a request already has its response when its body turns out to be broken, no second one is sent.
 */
export function rejectConnection(socket: Socket, connections: Connections, makeResponse: () => string): void {
  const { newest, pending = 0 } = connections.find(socket) ?? {};
  const isOfNewest = newest?.req.complete === false;
  if (newest === undefined || newest.writableFinished) {
    end(socket, isOfNewest ? undefined : makeResponse);
  } else if (isOfNewest && pending === 1 && !newest.headersSent) {
    end(socket, makeResponse);
  } else {
    newest.once("close", () => end(socket, isOfNewest ? undefined : makeResponse));
  }
}

/** The parser may fail repeatedly on a connection; only the first failure gets a response. */
function end(socket: Socket, makeResponse: (() => string) | undefined): void {
  if (socket.writable) {
    socket.end(makeResponse?.() ?? "");
  }
}

/** An error as the bytes of a response, with the standard headers. */
export function errorBytes(error: ApiError, requestId: string, common: FlatHeaders, isHead = false): string {
  const body = JSON.stringify(error.toBody(requestId));
  const own = { ...errorHeaders(error, body), "X-Request-Id": requestId, Connection: "close" };
  const lines = [...Object.entries(own), ...headerPairs(common)].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}`, ...lines, "", isHead ? "" : body].join(
    "\r\n",
  );
}

/**
 * Whether the bytes start with a request line that is too long. If a request spans several packets, only the last one
 * is known, where a long header is likelier than a long URL.
 */
function startsWithLongLine(bytes: Buffer): boolean {
  const lineEnd = bytes.indexOf("\r\n");
  return (lineEnd === -1 || lineEnd > MAX_HEADER_BYTES) && /^[A-Z-]+ /.test(bytes.toString("latin1", 0, 32));
}
