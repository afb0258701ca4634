import { SourceError } from "../source-error.js";
import { isFailure, type LiveContext, type LiveReply, type LiveRequest, type LiveSource } from "./live-source.js";

/** More than any source needs; stops a paging loop with ever new URLs. */
export const MAX_REQUESTS = 2000;

/** The replies of one run, as {@link LiveSource.read} expects them, and the outcome of each scope. */
export interface LiveRun {
  /** The replies, in the order of the requests. */
  replies: readonly LiveReply[];
  /** Scopes whose requests all succeeded. One without offers currently has none. */
  completeScopes: readonly string[];
  /** Scopes that failed, with the reason. Their last known offers stay the best available. */
  failedScopes: ReadonlyMap<string, string>;
}

/**
 * Sends the requests of a source one after the other. An invalid response or a failed request of one scope fails only
 * that scope.
 * @param send Sends a request. It returns a failure if the run may continue: for an optional request, for one with a
 *   scope, or for one that a recording lacks. Otherwise it throws, and the run ends with that error.
 * @throws SourceError if the source repeats a request without a scope (a paging loop), leaves its hosts with one or makes
 *   too many, and anything that `requests` and `send` throw.
 */
export async function runRequests(
  source: LiveSource,
  context: LiveContext,
  send: (request: LiveRequest) => Promise<LiveReply>,
): Promise<LiveRun> {
  const replies: LiveReply[] = [];
  const scopes = new Set<string>();
  const failedScopes = new Map<string, string>();
  const sent = new Set<string>();
  const requests = source.requests(context);
  for (let next = requests.next(); next.done !== true;) {
    const request = next.value;
    if (sent.size >= MAX_REQUESTS) {
      throw endlessPages();
    }
    let reply: LiveReply;
    try {
      checkAddress(source, request.url);
      const key = `${request.method} ${request.url} ${request.body ?? ""}`;
      if (sent.has(key)) {
        throw endlessPages();
      }
      sent.add(key);
      reply = await send(request);
      if (!isFailure(reply) && request.scope !== undefined) {
        source.check?.(reply);
      }
    } catch (error) {
      if (!(error instanceof SourceError) || (request.scope === undefined && request.optional !== true)) {
        throw error;
      }
      reply = { request, failure: error.message };
    }
    replies.push(reply);
    const { scope } = request;
    if (scope !== undefined) {
      scopes.add(scope);
      if (isFailure(reply) && reply.missing !== true && !failedScopes.has(scope)) {
        failedScopes.set(scope, reply.failure);
      }
    }
    next = requests.next(reply);
  }
  return {
    replies: replies.filter(({ request: { scope } }) => scope === undefined || !failedScopes.has(scope)),
    completeScopes: [...scopes].filter((scope) => !failedScopes.has(scope)),
    failedScopes,
  };
}

function endlessPages(): SourceError {
  return new SourceError("The pages of the response lead in a circle, or never end.");
}

/** A response may contain the URL of the next page, but must stay on the hosts of the source. */
function checkAddress({ hosts }: LiveSource, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" || !hosts.includes(url.hostname)) {
    throw new SourceError("The response names a next page outside the hosts of the source.");
  }
}
