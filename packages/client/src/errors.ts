import type { ErrorDetail } from "@gpu-offers/domain";

// Everything that can go wrong, one class for each kind. An aborted call is none of them: it rejects with the
// reason that the caller gave to its AbortController.

/** What every error of a request knows about it. */
interface RequestFacts {
  /** URL that was asked for. It never holds the API key. */
  url: string;
  /** What caused the error, where something did. */
  cause?: unknown;
}

/** What is known of a response that came with a status. */
interface StatusFacts extends RequestFacts {
  /** HTTP status; 0 where a browser hides the one of a redirect. */
  status: number;
  /** Milliseconds that the response asks to wait before the next try; undefined where it does not. */
  retryAfterMs?: number | undefined;
}

/** The call itself is wrong: an option, a query or a path parameter. Nothing was sent. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
  readonly kind = "argument";
  /** Every problem at once; `in` is option, query or path. */
  readonly details: readonly ErrorDetail[];

  constructor(details: readonly ErrorDetail[], cause?: unknown) {
    super(details.map(({ name, reason }) => `${name} ${reason}.`).join(" "), optionsOf(cause));
    this.details = details;
  }
}

/** The service responded with an error of the interface. `message` is in its own words. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind = "service";
  readonly url: string;
  /** HTTP status, from 400. */
  readonly status: number;
  /** Code for programs: one of the domain's `ERROR_CODES`, or one that came later. */
  readonly code: string;
  /** Every problem that the service names; empty where it names none. */
  readonly details: readonly ErrorDetail[];
  /** Finds the request in the log of the service. */
  readonly requestId: string;
  /** Milliseconds to wait before the next try (Retry-After); undefined where the service does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    body: { code: string; message: string; details?: readonly ErrorDetail[] | undefined; requestId: string },
    facts: StatusFacts,
  ) {
    super(body.message, optionsOf(facts.cause));
    this.url = facts.url;
    this.status = facts.status;
    this.code = body.code;
    this.details = body.details ?? [];
    this.requestId = body.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** There was no connection, or it broke before the response was whole. `cause` is what fetch said. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly kind = "connection";
  readonly url: string;
  /** What went wrong, in a few words: `connect ECONNREFUSED 127.0.0.1:3000`. */
  readonly problem: string;

  constructor(facts: RequestFacts) {
    const problem = innermostMessage(facts.cause);
    super(`No response from ${new URL(facts.url).origin}: ${problem}.`, optionsOf(facts.cause));
    this.url = facts.url;
    this.problem = problem;
  }
}

/** The response was not whole in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly kind = "timeout";
  readonly url: string;
  /** Milliseconds that the attempt had. */
  readonly timeoutMs: number;

  constructor(timeoutMs: number, facts: RequestFacts) {
    super(`No whole response from ${new URL(facts.url).origin} within ${timeoutMs} ms.`, optionsOf(facts.cause));
    this.url = facts.url;
    this.timeoutMs = timeoutMs;
  }
}

/**
 * Something responded, and it is not the interface: a page for people, broken JSON, another schema, a body
 * that is too large, a redirect. Most often baseUrl leads elsewhere, or a proxy responds for the service.
 */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  readonly kind = "response";
  readonly url: string;
  /** HTTP status; 0 where a browser hides the one of a redirect. */
  readonly status: number;
  /** What is wrong with the response, as a clause: `is not JSON but text/html`. */
  readonly problem: string;
  /** Milliseconds to wait before the next try (Retry-After); undefined where the response does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: string, facts: StatusFacts) {
    super(`The response of ${facts.url} (status ${facts.status}) ${problem}.`, optionsOf(facts.cause));
    this.url = facts.url;
    this.status = facts.status;
    this.problem = problem;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The catalog changed each time that all its pages were read: no list is whole. Try again later. */
export class CatalogChangedError extends Error {
  override readonly name = "CatalogChangedError";
  readonly kind = "changed";
  /** How often reading started over. */
  readonly restarts: number;

  constructor(restarts: number) {
    super(`The catalog changed while its pages were read, ${restarts + 1} times in a row.`);
    this.restarts = restarts;
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

/** Any error of this package; `kind` tells which one. */
export type ClientError = InstanceType<(typeof CLASSES)[number]>;

/** Value of `kind`. */
export type ClientErrorKind = ClientError["kind"];

/** Whether a caught value is an error of this package, so that its `kind` can be switched on. */
export function isClientError(error: unknown): error is ClientError {
  return CLASSES.some((errorClass) => error instanceof errorClass);
}

/** An error with `cause: undefined` would show an empty cause wherever it is printed. */
function optionsOf(cause: unknown): ErrorOptions | undefined {
  return cause === undefined ? undefined : { cause };
}

/** The deepest cause says it best: fetch itself only says that it failed. */
function innermostMessage(error: unknown): string {
  let message = "";
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    // An error of several addresses has a code and no message.
    message = inner.message || codeOf(inner) || message;
  }
  return message || "fetch failed";
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
