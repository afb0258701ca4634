import { isClientError, type ClientError } from "@gpu-offers/client";
import type { Problem } from "./problem.js";
import { EXIT, Failure } from "../output/exit.js";
import { printable } from "../text/width.js";

/** A source that could not respond. */
export class SourceProblem extends Error {
  override readonly name = "SourceProblem";

  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/**
 * The problem that an error of the client is for a person: what happened, and what to do. Anything else is thrown on:
 * it is a problem of this program, or an abort.
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
        ? `the API key is invalid; set GPU_OFFERS_API_KEY to one that ${url} knows.`
        : `this server requires an API key; set GPU_OFFERS_API_KEY to one that ${url} knows.`;
    case "limited":
      return `${url} is rate limiting requests; try again ${waitText(error)}.`;
    case "server":
      return `${url} fails: ${error.message.replace(/\.$/, "")}. Try again ${waitText(error)}.`;
    case "response":
    case "file":
      return error.kind === "response"
        ? `no gpu-offers service at ${url} (set GPU_OFFERS_URL): the response ${error.problem}.`
        : error.message;
  }
}

function waitText(error: ClientError): string {
  const waitMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  return waitMs === undefined ? "later" : `in ${Math.ceil(waitMs / 1000)} s`;
}

/** The failure that a problem of the catalog's place is for a script. */
export function failureOf(problem: Problem): Failure {
  if (problem.kind === "unauthorized") {
    return new Failure(EXIT.authentication, problem.message);
  }
  return new Failure(problem.kind === "file" ? EXIT.usage : EXIT.server, problem.message);
}
