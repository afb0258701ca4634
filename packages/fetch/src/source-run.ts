import { createHash } from "node:crypto";
import {
  runRequests,
  SourceError,
  type GateTrip,
  type KeptResponse,
  type LiveContext,
  type LiveItem,
  type LiveReply,
  type LiveRequest,
  type LiveSource,
} from "@gpu-offers/sources";
import { TransportError } from "./transport-error.js";
import type { TransportResponse, Validators } from "./transport.js";

// Runs a source once: sends its requests and reads the responses. Changes nothing.

/** Items of a source without its notes and failures. */
export type OfferItem = Exclude<LiveItem, { kind: "note" | "failure" }>;

export interface FetchedRun {
  items: OfferItem[];
  notes: string[];
  offers: number;
  rejectedGpuRows: number;
  completeScopes: readonly string[];
  failedScopes: ReadonlyMap<string, string>;
  /** Responses with validators, cached for the next run. */
  kept: KeptResponse[];
}

interface RunErrorOptions extends ErrorOptions {
  isRejected?: boolean;
  retryAfterMs?: number | undefined;
}

/** A failed run. The message is one sentence for the operator, without URLs, hosts and secrets. */
export class RunError extends Error {
  override readonly name = "RunError";

  /** The provider rejected the secrets; retrying is pointless until they change. */
  readonly isRejected: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly code: string,
    message: string,
    { isRejected = false, retryAfterMs, ...options }: RunErrorOptions = {},
  ) {
    super(message, options);
    this.isRejected = isRejected;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sends a request with the validators of the cached response. */
export type Send = (request: LiveRequest, validators: Validators) => Promise<TransportResponse>;

/** Runs a source. @throws RunError, and nothing else. */
export async function runSource(
  source: LiveSource,
  context: LiveContext,
  send: Send,
  known: ReadonlyMap<string, KeptResponse> = new Map(),
): Promise<FetchedRun> {
  const isKeyed = Object.keys(context.secrets).length > 0;
  try {
    const kept: KeptResponse[] = [];
    const run = await runRequests(source, context, (request) => sendOne(request, { send, known, kept, isKeyed }));
    if (run.completeScopes.length === 0 && run.failedScopes.size > 0) {
      const [[scope, reason] = ["", ""]] = run.failedScopes;
      throw new RunError("all_scopes_failed", `All ${run.failedScopes.size} scopes failed; ${scope}: ${reason}`);
    }
    const { failedScopes: unreadable, ...read } = await readRun(source, context, run.replies);
    const failedScopes = new Map([...run.failedScopes, ...unreadable]);
    const completeScopes = run.completeScopes.filter((scope) => !unreadable.has(scope));
    if (unreadable.size > 0 && read.offers === 0) {
      const [[scope, reason] = ["", ""]] = unreadable;
      throw new RunError("all_scopes_failed", `No scope could be read; ${scope}: ${reason}`);
    }
    return { ...read, failedScopes, completeScopes, kept };
  } catch (error) {
    throw toRunError(error, isKeyed);
  }
}

/** Reads the replies of a run. @throws RunError, and nothing else. */
export async function readRun(
  source: LiveSource,
  context: LiveContext,
  replies: readonly LiveReply[],
): Promise<Pick<FetchedRun, "items" | "notes" | "offers" | "rejectedGpuRows" | "failedScopes">> {
  const failedScopes = new Map<string, string>();
  const read = { items: [] as OfferItem[], notes: [] as string[], offers: 0, rejectedGpuRows: 0, failedScopes };
  try {
    for await (const item of source.read(replies, context)) {
      if (item.kind === "note") {
        read.notes.push(item.note);
      } else if (item.kind === "failure") {
        failedScopes.set(item.scope, item.failure);
      } else {
        read.items.push(item);
        read.offers += item.kind === "offer" ? 1 : 0;
        read.rejectedGpuRows += item.kind === "rejection" && item.countsAsGpuRow ? 1 : 0;
      }
    }
  } catch (error) {
    throw toRunError(error, false);
  }
  return read;
}

interface Sending {
  send: Send;
  /** Responses of the last run, by the keys of their requests. */
  known: ReadonlyMap<string, KeptResponse>;
  /** Takes the responses to keep for the next run. */
  kept: KeptResponse[];
  isKeyed: boolean;
}

async function sendOne(request: LiveRequest, { send, known, kept, isKeyed }: Sending): Promise<LiveReply> {
  const key = requestKey(request);
  const before = request.confidential === true ? undefined : known.get(key);
  try {
    const { notModified, ...response } = await send(request, before ?? {});
    if (notModified) {
      if (before === undefined) {
        throw new TransportError("http_error", "The provider responded with HTTP 304 to a request without validators.");
      }
      kept.push(before);
      return { request, status: before.status, headers: before.headers, body: before.body };
    }
    const { etag = null, "last-modified": lastModified = null } = response.headers;
    const isWorthKeeping = etag !== null || lastModified !== null || request.keep === true;
    if (request.confidential !== true && isWorthKeeping) {
      const { status, headers, body } = response;
      kept.push({ request: key, etag, lastModified, status, headers, body });
    }
    return response;
  } catch (error) {
    if (!(error instanceof TransportError)) {
      throw error;
    }
    // A rejected key would fail every scope, so it fails the run.
    const failsAlone = request.scope !== undefined && !(isKeyed && error.code === "unauthorized");
    if (failsAlone || request.optional === true) {
      return { request, failure: error.message };
    }
    throw error;
  }
}

/** The key of a request among cached responses: a hash, because URLs may contain secrets. */
export function requestKey({ method, url, body = "" }: Pick<LiveRequest, "method" | "url" | "body">): string {
  return createHash("sha256").update(`${method} ${url}\n${body}`).digest("hex");
}

/** Without a key, HTTP 401 and 403 are failures like others: one block of a firewall is enough. */
function toRunError(error: unknown, isKeyed: boolean): RunError {
  if (error instanceof RunError) {
    return error;
  }
  if (error instanceof TransportError) {
    const { code, message, retryAfterMs } = error;
    return new RunError(code, message, { isRejected: isKeyed && code === "unauthorized", retryAfterMs });
  }
  if (error instanceof SourceError) {
    return new RunError("bad_response", error.message);
  }
  const problem = "The source's reader failed. Please report it with a recording (source record).";
  return new RunError("internal_error", problem, { cause: error });
}

/** Maximum share of GPU rows that a run may reject. */
const MAX_REJECTED_SHARE = 0.2;

/** The gate `rejected_rows`: whether a run rejected too many GPU rows. */
export function findRejectedRowsTrip({
  offers,
  rejectedGpuRows,
}: Pick<FetchedRun, "offers" | "rejectedGpuRows">): GateTrip | undefined {
  const gpuRows = offers + rejectedGpuRows;
  const message = `${rejectedGpuRows} of ${gpuRows} GPU rows cannot be read; the limit is ${MAX_REJECTED_SHARE * 100}%.`;
  return rejectedGpuRows <= gpuRows * MAX_REJECTED_SHARE ? undefined : { gate: "rejected_rows", message };
}
