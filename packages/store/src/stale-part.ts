/** A provider, or a part of it, whose offers are stale. */
export interface StalePart {
  provider: string;
  /** Undefined for all of its offers. */
  scope?: string;
}

function keyOf({ provider, scope = "" }: StalePart): string {
  return `${provider}\0${scope}`;
}

/** Orders stale parts by provider and scope. */
export function compareStaleParts(a: StalePart, b: StalePart): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

/** Whether an offer of a provider and scope is stale. */
export function staleCheck(stale: readonly StalePart[]): (provider: string, scope: string | null) => boolean {
  const keys = new Set(stale.map(keyOf));
  return (provider, scope) =>
    keys.size > 0 && (keys.has(keyOf({ provider })) || (scope !== null && keys.has(keyOf({ provider, scope }))));
}
