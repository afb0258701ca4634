import { present } from "../present.js";

// Suggestions for unknown names.

const MAX_SUGGESTIONS = 3;

/**
 * Up to 3 known names that are nearest to a text, nearest first. Case, spaces and hyphens are ignored. A name is near if
 * it begins with the text, or if no more than a third of the text's characters differ; texts of two characters only match prefixes.
 */
export function nearNames(text: string, known: Iterable<string>): string[] {
  return new NearNames(known).find(text);
}

/** {@link nearNames} among names that many texts are looked up in. */
export class NearNames {
  readonly #names: readonly { name: string; letters: string }[];

  constructor(known: Iterable<string>) {
    this.#names = Array.from(new Set(known), (name) => ({ name, letters: lettersOf(name) }));
  }

  /** See {@link nearNames}. */
  find(text: string): string[] {
    const wanted = lettersOf(text);
    if (wanted === "") {
      return [];
    }
    let limit = wanted.length < 3 ? 0 : Math.max(1, Math.floor(wanted.length / 3));
    const near: { name: string; distance: number }[] = [];
    for (const { name, letters } of this.#names) {
      const begins = wanted.length >= 2 && letters.startsWith(wanted);
      const distance = begins ? (letters.length - wanted.length) / 100 : editDistance(wanted, letters, limit);
      if (!begins && distance > limit) {
        continue;
      }
      const place = near.findIndex((one) => distance < one.distance || (distance === one.distance && name < one.name));
      near.splice(place === -1 ? near.length : place, 0, { name, distance });
      near.length = Math.min(near.length, MAX_SUGGESTIONS);
      const last = near[MAX_SUGGESTIONS - 1];
      if (last !== undefined) {
        // Names further than these are not looked for.
        limit = Math.min(limit, Math.floor(last.distance));
      }
    }
    return near.map(({ name }) => name);
  }
}

/** A name in lower case, without what joins its words. */
export function lettersOf(text: string): string {
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
  let row: number[] = [];
  let next: number[] = [];
  for (let j = 0; j <= to.length; j++) {
    row.push(Math.min(j, far));
    before.push(far);
    next.push(far);
  }
  for (let i = 1; i <= from.length; i++) {
    const first = Math.max(1, i - limit);
    const last = Math.min(to.length, i + limit);
    const code = from.charCodeAt(i - 1);
    const codeBefore = i > 1 ? from.charCodeAt(i - 2) : -1;
    // Beside the cells of this row are those of an earlier one.
    next[first - 1] = first === 1 ? Math.min(i, far) : far;
    let least = first === 1 ? present(next[0]) : far;
    for (let j = first; j <= last; j++) {
      const other = to.charCodeAt(j - 1);
      let distance = present(row[j - 1]) + (code === other ? 0 : 1);
      distance = Math.min(distance, present(row[j]) + 1, present(next[j - 1]) + 1);
      if (j > 1 && codeBefore === other && code === to.charCodeAt(j - 2)) {
        distance = Math.min(distance, present(before[j - 2]) + 1);
      }
      next[j] = Math.min(distance, far);
      least = Math.min(least, distance);
    }
    if (last < to.length) {
      next[last + 1] = far;
    }
    if (least > limit) {
      return far;
    }
    [before, row, next] = [row, next, before];
  }
  return Math.min(present(row[to.length]), far);
}
