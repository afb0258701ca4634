// What was made on the way and has to go: processes, folders, servers. Vitest removes it after each test
// file (leftovers.setup.ts), other programs when they say so.

const leftovers = new Set<() => unknown>();

/** Remembers how to remove something; the last made goes first. Gives back how to forget it. */
export function atEnd(remove: () => unknown): () => void {
  // A function of its own, so that the same one may be remembered twice.
  const leftover = (): unknown => remove();
  leftovers.add(leftover);
  return () => leftovers.delete(leftover);
}

/** Removes everything that is remembered. */
export async function removeLeftovers(): Promise<void> {
  const removals = [...leftovers].toReversed();
  leftovers.clear();
  for (const remove of removals) {
    await remove();
  }
}
