import { SourceError } from "../source-error.js";
import { isFailure, type LiveItem, type LiveReply, type LiveResponse } from "./live-source.js";
import { responsesOf } from "./response.js";

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
