import { SourceError } from "../source-error.js";
import type { LiveItem } from "./live-source.js";

/**
 * The items of one scope, or its failure alone where its responses cannot be read: half of a file must not be used, and
 * the other scopes are as good as ever.
 */
export async function* scopeItems(scope: string, read: () => AsyncIterable<LiveItem>): AsyncGenerator<LiveItem> {
  const items: LiveItem[] = [];
  try {
    for await (const item of read()) items.push(item);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { kind: "failure", scope, failure: error.message };
    return;
  }
  yield* items;
}
