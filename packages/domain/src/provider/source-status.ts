import type { SourceList, SourceStatus } from "./source-status-schema.js";

/** States of a source of offers. */
export const SOURCE_STATES = [
  "fresh",
  "stale",
  "failing",
  "quarantined",
  "stopped",
  "needs_key",
  "pending",
  "off",
  "imported",
] as const;

/** The source of a provider's offers; undefined if the list has none. */
export function findSource({ sources }: SourceList, provider: string): SourceStatus | undefined {
  return sources.find(({ providers }) => providers.includes(provider));
}
