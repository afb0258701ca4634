// Processes, folders and servers to clean up. Vitest does so after each test file (leftovers.setup.ts); other programs
// call removeLeftovers themselves.

const leftovers = new Set<() => unknown>();

/** Registers a cleanup; the last registered runs first. Returns a function that unregisters it. */
export function atEnd(remove: () => unknown): () => void {
  // Wrapped, so that the same function can be registered twice.
  const leftover = (): unknown => remove();
  leftovers.add(leftover);
  return () => leftovers.delete(leftover);
}

/** Runs all registered cleanups. */
export async function removeLeftovers(): Promise<void> {
  const removals = [...leftovers].toReversed();
  leftovers.clear();
  for (const remove of removals) {
    await remove();
  }
}
