import { SourceError } from "../source-error.js";
import { isFailure, type LiveContext, type LiveReply, type LiveRequest, type LiveSource } from "./live-source.js";

/** More than any source needs; a paging loop of ever new addresses ends here. */
export const MAX_REQUESTS = 2000;

/** The replies of one run, as {@link LiveSource.read} wants them, and what became of each scope. */
export interface LiveRun {
  readonly replies: readonly LiveReply[];
  /** Scopes whose requests were all served. One without offers has none any more. */
  readonly completeScopes: readonly string[];
  /** Scopes that failed, with the reason. Their last offers are still the best there is. */
  readonly failedScopes: ReadonlyMap<string, string>;
}

/**
 * Asks a source for its requests and sends them one after the other. What is wrong with a response of one scope, or with
 * a request of it, fails that scope alone.
 * @param send Sends a request. It returns a failure where the run may go on: for a request with a scope, or for one that
 *   a recording does not hold. Otherwise it throws, and the run ends with that error.
 * @throws SourceError when the source repeats a request without a scope (a paging loop), leaves its hosts with one or makes
 *   too many, and whatever `requests` and `send` throw.
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
    const reply = await replyTo(request, async () => {
      checkAddress(source, request.url);
      const key = `${request.method} ${request.url} ${request.body ?? ""}`;
      if (sent.has(key)) {
        throw endlessPages();
      }
      sent.add(key);
      const response = await send(request);
      if (!isFailure(response) && request.scope !== undefined) {
        source.check?.(response);
      }
      return response;
    });
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

/** The reply that `work` gives; a SourceError is a failure of the request's scope, if it has one. */
async function replyTo(request: LiveRequest, work: () => Promise<LiveReply>): Promise<LiveReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError && request.scope !== undefined) {
      return { request, failure: error.message };
    }
    throw error;
  }
}

function endlessPages(): SourceError {
  return new SourceError("The pages of the response lead in a circle, or never end.");
}

/** A response may name the address of the next page, but not lead away from the source. */
function checkAddress({ hosts }: LiveSource, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" || !hosts.includes(url.hostname)) {
    throw new SourceError("The response names a next page outside the hosts of the source.");
  }
}
