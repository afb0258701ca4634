import { SourceError } from "../source-error.js";
import { isFailure, type LiveItem, type LiveReply, type LiveResponse } from "./live-source.js";
import { responsesOf } from "./response.js";

// Parts of a source that fail without the others: optional ones, and scopes.

/** The content of an optional part. */
export interface OptionalPart<T> {
  /** What was read; undefined if nothing is known. */
  value: T | undefined;
  /** Why there is none, for the operator. */
  notes: readonly LiveItem[];
}

/**
 * Reads the responses to optional requests. If one failed or has another form, nothing of the part is known, and a note
 * tells the operator. A part that was not requested, or that a recording lacks, is unknown without a note.
 * @param what Names the content in the note: `Spot prices`.
 */
export function optionalPart<T>(
  replies: readonly LiveReply[],
  part: string,
  what: string,
  read: (responses: readonly LiveResponse[]) => T,
): OptionalPart<T> {
  const failed = replies.filter(isFailure).find(({ request, missing }) => request.part === part && missing !== true);
  if (failed !== undefined) {
    return unknown(what, failed.failure);
  }
  const responses = responsesOf(replies, part);
  if (responses.length === 0) {
    return { value: undefined, notes: [] };
  }
  try {
    return { value: read(responses), notes: [] };
  } catch (error) {
    if (error instanceof SourceError) {
      return unknown(what, error.message);
    }
    throw error;
  }
}

function unknown(what: string, reason: string): OptionalPart<never> {
  return { value: undefined, notes: [{ kind: "note", where: "details", note: `${what} are unknown. ${reason}` }] };
}

/** Like {@link scopeItems}, for scopes that are read synchronously. */
export function readScope(scope: string, read: () => Iterable<LiveItem>): LiveItem[] {
  try {
    return [...read()];
  } catch (error) {
    return [failureOf(scope, error)];
  }
}

/**
 * The items of one scope, or only its failure if its responses cannot be read: half of a file must not be used, and the
 * other scopes are unaffected.
 */
export async function* scopeItems(scope: string, read: () => AsyncIterable<LiveItem>): AsyncGenerator<LiveItem> {
  const items: LiveItem[] = [];
  try {
    for await (const item of read()) {
      items.push(item);
    }
  } catch (error) {
    yield failureOf(scope, error);
    return;
  }
  yield* items;
}

function failureOf(scope: string, error: unknown): LiveItem {
  if (!(error instanceof SourceError)) {
    throw error;
  }
  return { kind: "failure", scope, failure: error.message };
}
