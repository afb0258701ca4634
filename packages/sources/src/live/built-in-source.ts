import { defineSource, type SourceFacts } from "./define-source.js";
import type { LiveSource } from "./live-source.js";
import { liveSourceFacts } from "./live-sources.facts.js";

/** Defines a source of this package, of which the rest is known from facts/live-sources.csv. */
export function builtInSource(
  name: keyof typeof liveSourceFacts,
  code: Pick<SourceFacts, "auth" | "check" | "images" | "items" | "requests" | "scopes">,
): LiveSource {
  return defineSource({ ...liveSourceFacts[name], ...code });
}
