import { parseRetryAfter } from "@gpu-offers/domain";
import { eitherSignal, orAbort } from "./abort.js";
import { ResponseError, ConnectionError, TimeoutError } from "./errors.js";
import type { Fetch, FetchResponse } from "./options.js";

// Sends a request and reads its whole response, successful or not.

/** Maximum bytes of a body; a page of 100 offers has about 80,000. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A request to send. */
export interface Request {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Timeout in milliseconds for the complete response. */
  timeoutMs: number;
  /** The caller's signal. */
  signal: AbortSignal | undefined;
}

/** A complete response. */
export interface RawResponse {
  url: string;
  status: number;
  headers: FetchResponse["headers"];
  text: string;
}

/**
 * Sends a request and reads its response. Redirects are not followed: the API has none, and the key
 * must not go where they lead.
 * @throws ConnectionError, TimeoutError; ResponseError for a redirect or a body that is too large or not UTF-8;
 * the reason of the caller's signal when it aborts.
 */
export async function exchange(fetch: Fetch, request: Request): Promise<RawResponse> {
  const { url, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const either = eitherSignal(timeout, signal);
  try {
    return await orAbort(fetchWhole(fetch, request, either), either);
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.signal.aborted) {
      throw new TimeoutError(timeoutMs, { url, cause: error });
    }
    throw error instanceof ResponseError ? error : new ConnectionError({ url, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function fetchWhole(fetch: Fetch, { url, headers }: Request, signal: AbortSignal): Promise<RawResponse> {
  const response = await fetch(url, { method: "GET", headers, redirect: "manual", signal });
  rejectRedirect(url, response);
  return { url, status: response.status, headers: response.headers, text: await readText(url, response) };
}

/** Node exposes redirects; browsers hide them. */
function rejectRedirect(url: string, { type, status, headers, body }: FetchResponse): void {
  if (type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(status)) {
    return;
  }
  discard(body);
  const location = headers.get("location");
  const place = location !== null && URL.canParse(location, url) ? ` to ${new URL(location, url).origin}` : "";
  throw new ResponseError(`is a redirect${place}; set baseUrl to where it leads`, { url, status });
}

async function readText(url: string, { status, headers, body }: FetchResponse): Promise<string> {
  if (body === null) {
    return "";
  }
  const reject = (problem: string, cause?: unknown) => {
    discard(reader);
    return new ResponseError(problem, { url, status, retryAfterMs: retryAfterMsOf(headers), cause });
  };
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw reject("is not UTF-8", error);
    }
  };
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done === true || value === undefined) {
      return text + decode();
    }
    length += value.byteLength;
    if (length > MAX_BODY_BYTES) {
      throw reject(`is larger than ${MAX_BODY_BYTES} bytes`);
    }
    text += decode(value);
  }
}

/** Drops the rest of a body with its connection. Errors are ignored, because the response is not used. */
function discard(rest: { cancel: () => Promise<void> } | null): void {
  rest?.cancel().catch(() => undefined);
}

/** The wait that a response states in Retry-After, in milliseconds; undefined if it states none. */
export function retryAfterMsOf(headers: Pick<Headers, "get">): number | undefined {
  return parseRetryAfter({ retryAfter: headers.get("retry-after"), date: headers.get("date") }, Date.now());
}
