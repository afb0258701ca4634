import { FollowingAbort, orAbort } from "./abort.js";
import { AnswerError, ConnectionError, TimeoutError } from "./errors.js";
import type { Fetch } from "./options.js";
import { readRetryAfterMs } from "./retry-after.js";

// One request and its whole answer, whatever the answer says.

/** Bytes of a body that are read at most; a page of 100 offers has about 80,000. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A request as it is sent. */
export interface Request {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Milliseconds until the answer must be whole. */
  timeoutMs: number;
  /** The caller's signal. */
  signal: AbortSignal | undefined;
}

/** An answer that was read whole. */
export interface RawAnswer {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends a request and reads its answer. Redirects are not followed: the interface has none, and the key
 * must not go where they lead.
 * @throws ConnectionError, TimeoutError; AnswerError for a redirect or a body that is too large or not UTF-8;
 * the reason of the caller's signal when it aborts.
 */
export async function exchange(fetch: Fetch, request: Request): Promise<RawAnswer> {
  const { url, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const abort = new FollowingAbort(signal);
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  try {
    return await orAbort(fetchWhole(fetch, request, abort.signal), abort.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (abort.signal.aborted) {
      throw new TimeoutError(timeoutMs, { url, cause: error });
    }
    throw error instanceof AnswerError ? error : new ConnectionError({ url, cause: error });
  } finally {
    clearTimeout(timer);
    abort.release();
  }
}

async function fetchWhole(fetch: Fetch, { url, headers }: Request, signal: AbortSignal): Promise<RawAnswer> {
  const response = await fetch(url, { method: "GET", headers, redirect: "manual", signal });
  refuseRedirect(url, response);
  return { url, status: response.status, headers: response.headers, text: await readText(url, response) };
}

/** Node shows a redirect as it came; browsers hide all of it. */
function refuseRedirect(url: string, { type, status, headers, body }: Response): void {
  if (type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(status)) {
    return;
  }
  discard(body);
  const origin = originOf(headers.get("location"), url);
  throw new AnswerError(`is a redirect${origin === undefined ? "" : ` to ${origin}`}; set baseUrl to where it leads`, {
    url,
    status,
  });
}

function originOf(location: string | null, base: string): string | undefined {
  try {
    return location === null ? undefined : new URL(location, base).origin;
  } catch {
    return undefined;
  }
}

async function readText(url: string, { status, headers, body }: Response): Promise<string> {
  if (body === null) {
    return "";
  }
  const refuse = (fault: string, cause?: unknown) => {
    discard(reader);
    return new AnswerError(fault, { url, status, retryAfterMs: readRetryAfterMs(headers), cause });
  };
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw refuse("is not UTF-8", error);
    }
  };
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return text + decode();
    }
    length += value.byteLength;
    if (length > MAX_BODY_BYTES) {
      throw refuse(`is larger than ${MAX_BODY_BYTES} bytes`);
    }
    text += decode(value);
  }
}

/** Drops what is left of a body, and its connection with it. Nobody is left to hear of a failure. */
function discard(rest: Pick<ReadableStream, "cancel"> | Pick<ReadableStreamDefaultReader, "cancel"> | null): void {
  rest?.cancel().catch(() => undefined);
}
