import { printable } from "@gpu-offers/list";
import { isClientError, type ClientError, type ResponseError, type ServiceError } from "@gpu-offers/client";
import { EXIT, Failure } from "../exit-codes.js";

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

const EXIT_CODES: Partial<Record<ProblemKind, number>> = { unauthorized: EXIT.authentication, file: EXIT.usage };

/** Thrown if a request to a source fails; `problem` is what to display. */
export class OfferSourceError extends Failure {
  constructor(readonly problem: Problem) {
    super(EXIT_CODES[problem.kind] ?? EXIT.server, problem.message);
  }
}

/**
 * Converts an error of the client to a problem to display: what happened, and what to do. Rethrows anything else, which
 * is a bug of this program, or an abort.
 */
export function problemOf(error: unknown, server: Omit<Server, "again">): Problem {
  if (!isClientError(error)) {
    throw error;
  }
  const retryAfterMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  const again = `Try again ${retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`}.`;
  const [kind, message] = described(error, { ...server, again });
  return { kind, message: printable(message), retryAfterMs };
}

/** Address of a server, whether it got a key, and when to try again. */
interface Server {
  url: string;
  hasKey: boolean;
  again: string;
}

function described(error: ClientError, server: Server): [kind: ProblemKind, message: string] {
  const { url, again } = server;
  switch (error.kind) {
    case "connection":
    case "timeout": {
      const reason = error.kind === "connection" ? error.problem : "no response in time";
      return ["unreachable", `cannot reach ${url}: ${reason}. Start the service there, or set GPU_OFFERS_URL.`];
    }
    case "changed":
      return ["server", `the catalog of ${url} changed while its pages were read. ${again}`];
    case "argument":
      return ["response", error.message];
    case "service":
    case "response":
      return describedResponse(error, server);
  }
}

function describedResponse(
  error: ServiceError | ResponseError,
  { url, hasKey, again }: Server,
): [kind: ProblemKind, message: string] {
  const { kind, status, message } = error;
  if (status === 401) {
    const what = hasKey ? "the API key is invalid" : "this request requires an API key";
    return ["unauthorized", `${what}. Set GPU_OFFERS_API_KEY to a valid key for ${url}.`];
  }
  if (status === 429) {
    return ["limited", `${url} is rate limiting requests. ${again}`];
  }
  if (status >= 500) {
    // A body that isn't one of the service's errors says nothing to users.
    const what = kind === "response" ? ` (status ${status})` : `: ${message.replace(/\.$/, "")}`;
    return ["server", `${url} returned an error${what}. ${again}`];
  }
  // What shows that the URL isn't one of a service. Offers that are gone are no errors here.
  const foreign = kind === "response" ? error.problem : status === 404 ? "has status 404" : undefined;
  return [
    "response",
    foreign === undefined ? message : `no gpu-offers service at ${url} (set GPU_OFFERS_URL): the response ${foreign}.`,
  ];
}
