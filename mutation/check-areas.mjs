// Finds patterns of areas that match no file. Such an area would mutate less, or run fewer tests, than its score says.
import { globSync } from "node:fs";

/** The alternatives of a pattern: `{a,b}.test.ts` is two. */
function alternativesOf(pattern) {
  const [, start, choices, end] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  return choices === undefined
    ? [pattern]
    : choices.split(",").flatMap((choice) => alternativesOf(`${start}${choice}${end}`));
}

/**
 * A sentence for each pattern that matches nothing, alternatives in braces one by one.
 * @param root folder that the patterns are relative to.
 */
export function findEmptyPatterns(areas, root) {
  return Object.entries(areas).flatMap(([area, { mutate, tests }]) =>
    Object.entries({ mutate, tests }).flatMap(([list, patterns]) =>
      patterns
        .flatMap(alternativesOf)
        .filter((pattern) => globSync(pattern, { cwd: root }).length === 0)
        .map((pattern) => `${area}: no file matches ${pattern} (${list} in mutation/areas.mjs).`),
    ),
  );
}
