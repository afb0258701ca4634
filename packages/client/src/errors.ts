import { asSentence, codeOf, type ErrorBody, type ErrorDetail } from "@gpu-offers/domain";

// All errors, one class per kind. An aborted call is not among them: it rejects with the reason that the caller passed to
// its AbortController.

interface RequestFacts {
  /** Requested URL. It never contains the API key. */
  url: string;
  /** Cause of the error, if any. */
  cause?: unknown;
}

interface StatusFacts extends RequestFacts {
  status: number;
  retryAfterMs?: number | undefined;
}

/** The call has an invalid option, query or path parameter. Nothing was sent. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
  readonly kind = "argument";

  constructor(
    /** All problems; `in` is option, query or path. */
    readonly details: readonly ErrorDetail[],
    cause?: unknown,
  ) {
    super(details.map(({ name, reason }) => asSentence(`${name} ${reason}`)).join(" "), optionsOf(cause));
  }
}

/** @throws ArgumentError with the problems that are not undefined, by name. */
export function throwProblems(place: string, problems: Readonly<Record<string, string | undefined>>): void {
  const details = Object.entries(problems).flatMap(([name, reason]) =>
    reason === undefined ? [] : [{ in: place, name, reason }],
  );
  if (details.length > 0) {
    throw new ArgumentError(details);
  }
}

/** A request has no valid result. */
abstract class RequestError extends Error {
  /** URL of the request. */
  readonly url: string;

  constructor(message: string, { url, cause }: RequestFacts) {
    super(message, optionsOf(cause));
    this.url = url;
  }
}

/** There was a response, but no valid one, or an error. */
abstract class StatusError extends RequestError {
  /** HTTP status; 0 for redirects that browsers hide. */
  readonly status: number;
  /** Milliseconds to wait before a retry (Retry-After); undefined if not stated. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: StatusFacts) {
    super(message, facts);
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The service returned an API error. `message` is the service's own message, `status` 400 or above. */
export class ServiceError extends StatusError {
  override readonly name = "ServiceError";
  readonly kind = "service";
  /** Error code: one of the domain's `ERROR_CODES`, or a newer one. */
  readonly code: string;
  /** All problems that the service lists; may be empty. */
  readonly details: readonly ErrorDetail[];
  /** Identifies the request in the service's log. */
  readonly requestId: string;

  constructor({ code, message, details = [], requestId }: ErrorBody, facts: StatusFacts) {
    super(message, facts);
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

/** The connection failed, or broke before the response was complete. `cause` is fetch's error. */
export class ConnectionError extends RequestError {
  override readonly name = "ConnectionError";
  readonly kind = "connection";
  /** Short description of the problem: `connect ECONNREFUSED 127.0.0.1:3000`. */
  readonly problem: string;

  constructor(facts: RequestFacts) {
    const problem = innermostMessage(facts.cause);
    super(`No response from ${new URL(facts.url).origin}: ${problem}.`, facts);
    this.problem = problem;
  }
}

/** The response was not complete in time. */
export class TimeoutError extends RequestError {
  override readonly name = "TimeoutError";
  readonly kind = "timeout";

  constructor(
    /** Timeout of the attempt in milliseconds. */
    readonly timeoutMs: number,
    facts: RequestFacts,
  ) {
    super(`No complete response from ${new URL(facts.url).origin} within ${timeoutMs} ms.`, facts);
  }
}

/**
 * The response is not a valid API response: a web page, malformed JSON, a different schema, an oversized body or a redirect.
 * Usually baseUrl is wrong, or a proxy responds instead of the service.
 */
export class ResponseError extends StatusError {
  override readonly name = "ResponseError";
  readonly kind = "response";

  constructor(
    /** Problem of the response, as a clause: `is not JSON but text/html`. */
    readonly problem: string,
    facts: StatusFacts,
  ) {
    super(`The response from ${facts.url} (status ${facts.status}) ${problem}.`, facts);
  }
}

/** The catalog changed during every attempt to read all pages, so no list is complete. Try again later. */
export class CatalogChangedError extends Error {
  override readonly name = "CatalogChangedError";
  readonly kind = "changed";

  constructor(
    /** Number of restarts. */
    readonly restarts: number,
  ) {
    super(`The catalog changed while its pages were read, ${restarts + 1} times in a row.`);
  }
}

const CLASSES = [
  ArgumentError,
  ServiceError,
  ConnectionError,
  TimeoutError,
  ResponseError,
  CatalogChangedError,
] as const;

/** Any error of this package; `kind` says which one. */
export type ClientError = InstanceType<(typeof CLASSES)[number]>;

/** Value of `kind`. */
export type ClientErrorKind = ClientError["kind"];

/** Whether a caught value is an error of this package, so that code can switch on its `kind`. */
export function isClientError(error: unknown): error is ClientError {
  return CLASSES.some((errorClass) => error instanceof errorClass);
}

/** Omits an undefined cause, which would be printed as an empty one. */
function optionsOf(cause: unknown): ErrorOptions | undefined {
  return cause === undefined ? undefined : { cause };
}

/** The message of the deepest cause, because fetch's own error only says that it failed. */
function innermostMessage(error: unknown): string {
  let message = "";
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    // Failed connections to several addresses have a code, but no message.
    message = inner.message || codeOf(inner) || message;
  }
  return message || "fetch failed";
}
