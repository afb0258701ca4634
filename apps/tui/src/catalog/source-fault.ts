import { isClientError, type ClientError } from "@gpu-offers/client";
import type { Fault } from "./fault.js";
import { EXIT, Failure } from "../output/exit.js";
import { printable } from "../text/width.js";

/** A source that could not answer. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";

  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/**
 * The fault that an error of the client is for a person: what happened, and what to do. Anything else is thrown on:
 * it is a fault of this program, or an abort.
 */
export function faultOf(error: unknown, server: { url: string; hasKey: boolean }): Fault {
  if (!isClientError(error)) {
    throw error;
  }
  const retryAfterMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  return { kind: kindOf(error), message: printable(messageOf(error, server)), retryAfterMs };
}

function kindOf(error: ClientError): Fault["kind"] {
  switch (error.kind) {
    case "connection":
    case "timeout":
      return "unreachable";
    case "changed":
      return "server";
    case "argument":
      return "answer";
    case "service":
    case "answer":
      if (error.status === 401) {
        return "unauthorized";
      }
      return error.status === 429 ? "limited" : error.status >= 500 ? "server" : "answer";
  }
}

function messageOf(error: ClientError, { url, hasKey }: { url: string; hasKey: boolean }): string {
  switch (kindOf(error)) {
    case "unreachable":
      return `cannot reach ${url}: ${error.kind === "connection" ? error.fault : "no response in time"}. Start the service there, or set GPU_OFFERS_URL.`;
    case "unauthorized":
      return hasKey
        ? `the API key is invalid; set GPU_OFFERS_API_KEY to one that ${url} knows.`
        : `this server requires an API key; set GPU_OFFERS_API_KEY to one that ${url} knows.`;
    case "limited":
      return `${url} is rate limiting requests; try again ${waitText(error)}.`;
    case "server":
      return `${url} fails: ${error.message.replace(/\.$/, "")}. Try again ${waitText(error)}.`;
    case "answer":
    case "file":
      return error.kind === "answer"
        ? `no gpu-offers service at ${url} (set GPU_OFFERS_URL): the response ${error.fault}.`
        : error.message;
  }
}

function waitText(error: ClientError): string {
  const waitMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  return waitMs === undefined ? "later" : `in ${Math.ceil(waitMs / 1000)} s`;
}

/** The failure that a fault of the catalog's place is for a script. */
export function failureOf(fault: Fault): Failure {
  if (fault.kind === "unauthorized") {
    return new Failure(EXIT.authentication, fault.message);
  }
  return new Failure(fault.kind === "file" ? EXIT.usage : EXIT.server, fault.message);
}
