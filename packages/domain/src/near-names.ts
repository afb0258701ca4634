import { present } from "./present.js";

// Suggestions for unknown names.

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 3;

/**
 * Up to 3 known names that are nearest to a text, nearest first. Case, spaces and hyphens are ignored. A name is near if
 * it begins with the text, or if no more than a third of the text's characters differ; texts of two characters only match prefixes.
 */
export function nearNames(text: string, known: Iterable<string>): string[] {
  const wanted = lettersOf(text);
  if (wanted === "") {
    return [];
  }
  const limit = wanted.length < 3 ? 0 : Math.max(1, Math.floor(wanted.length / 3));
  const near: { name: string; distance: number }[] = [];
  for (const name of new Set(known)) {
    const letters = lettersOf(name);
    const begins = letters.startsWith(wanted) && wanted.length >= 2;
    const distance = begins ? (letters.length - wanted.length) / 100 : editDistance(wanted, letters, limit);
    if (begins || distance <= limit) {
      near.push({ name, distance });
    }
  }
  return near
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, "");
}

/**
 * Edit distance of two texts: insertions, deletions, substitutions and transpositions. Distances above `limit` are
 * returned as `limit + 1`. Only cells within `limit` of the diagonal can be that small, so others are not calculated, and
 * it ends at the first row without any.
 */
export function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) {
    return limit + 1;
  }
  const far = limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => Math.min(index, far));
  for (let i = 1; i <= from.length; i++) {
    const next = Array.from({ length: to.length + 1 }, () => far);
    next[0] = Math.min(i, far);
    let least = present(next[0]);
    for (let j = Math.max(1, i - limit); j <= Math.min(to.length, i + limit); j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const distance = Math.min(
        present(row[j]) + 1,
        present(next[j - 1]) + 1,
        present(row[j - 1]) + (isSame ? 0 : 1),
        isSwap ? present(before[j - 2]) + 1 : far,
      );
      next[j] = distance;
      least = Math.min(least, distance);
    }
    if (least > limit) {
      return far;
    }
    before = row;
    row = next;
  }
  return Math.min(present(row[to.length]), far);
}
