import { printable } from "@gpu-offers/list";
import { isClientError, type ClientError } from "@gpu-offers/client";
import { EXIT, Failure } from "../exit-codes.js";

/** Kinds of problems with a source of offers. */
type ProblemKind = "unreachable" | "unauthorized" | "limited" | "server" | "response" | "file";

/** A problem to display: what happened, and what to do. */
export interface Problem {
  kind: ProblemKind;
  message: string;
  /** Milliseconds until a retry, if the server states them. */
  retryAfterMs?: number | undefined;
}

/** Whether a problem is transient, so that a retry makes sense. */
export function isTransient({ kind }: Problem): boolean {
  return kind === "unreachable" || kind === "limited" || kind === "server";
}

/** Thrown if a request to a source fails; `problem` is what to display. */
export class OfferSourceError extends Error {
  override readonly name = "OfferSourceError";

  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/**
 * Converts an error of the client to a problem to display: what happened, and what to do. Rethrows anything else, which
 * is a bug of this program, or an abort.
 */
export function problemOf(error: unknown, server: { url: string; hasKey: boolean }): Problem {
  if (!isClientError(error)) {
    throw error;
  }
  const retryAfterMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  return { kind: kindOf(error), message: printable(messageOf(error, server)), retryAfterMs };
}

function kindOf(error: ClientError): Problem["kind"] {
  switch (error.kind) {
    case "connection":
    case "timeout":
      return "unreachable";
    case "changed":
      return "server";
    case "argument":
      return "response";
    case "service":
    case "response":
      if (error.status === 401) {
        return "unauthorized";
      }
      return error.status === 429 ? "limited" : error.status >= 500 ? "server" : "response";
  }
}

function messageOf(error: ClientError, { url, hasKey }: { url: string; hasKey: boolean }): string {
  switch (kindOf(error)) {
    case "unreachable":
      return `cannot reach ${url}: ${error.kind === "connection" ? error.problem : "no response in time"}. Start the service there, or set GPU_OFFERS_URL.`;
    case "unauthorized":
      return hasKey
        ? `the API key is invalid. Set GPU_OFFERS_API_KEY to a valid key for ${url}.`
        : `this server requires an API key. Set GPU_OFFERS_API_KEY to a valid key for ${url}.`;
    case "limited":
      return `${url} is rate limiting requests. Try again ${waitText(error)}.`;
    case "server":
      if (error.kind === "changed") {
        return `the catalog of ${url} changed while its pages were read. Try again ${waitText(error)}.`;
      }
      // A body that isn't one of the service's errors says nothing to users.
      return error.kind === "response"
        ? `${url} returned an error (status ${error.status}). Try again ${waitText(error)}.`
        : `${url} returned an error: ${error.message.replace(/\.$/, "")}. Try again ${waitText(error)}.`;
    case "response":
    case "file": {
      const problem = foreignProblem(error);
      return problem === undefined
        ? error.message
        : `no gpu-offers service at ${url} (set GPU_OFFERS_URL): the response ${problem}.`;
    }
  }
}

/** What shows that the URL isn't one of a service; undefined if it is. Offers that are gone are no errors here. */
function foreignProblem(error: ClientError): string | undefined {
  if (error.kind === "response") {
    return error.problem;
  }
  return error.kind === "service" && error.status === 404 ? "has status 404" : undefined;
}

function waitText(error: ClientError): string {
  const waitMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  return waitMs === undefined ? "later" : `in ${Math.ceil(waitMs / 1000)} s`;
}

/** Converts a source's problem to a failure of a command. */
export function failureOf(problem: Problem): Failure {
  if (problem.kind === "unauthorized") {
    return new Failure(EXIT.authentication, problem.message);
  }
  return new Failure(problem.kind === "file" ? EXIT.usage : EXIT.server, problem.message);
}
