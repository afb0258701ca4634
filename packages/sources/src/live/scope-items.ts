import { SourceError } from "../source-error.js";
import type { LiveItem } from "./live-source.js";

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
