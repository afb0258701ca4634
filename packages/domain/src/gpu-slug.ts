/** Longest GPU slug that the `gpu` filter accepts. */
export const MAX_SLUG_LENGTH = 64;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ANY_CASE = new RegExp(SLUG, "i");

/** True for lower-case letters and digits joined by single hyphens, at most 64 characters. */
export function isGpuSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && SLUG.test(text);
}

/** The slug that a text names in any case; undefined when it is none. */
export function findGpuSlug(text: string): string | undefined {
  // The case of ASCII letters alone is folded: the Kelvin sign in "\u212A80" is no k.
  return ANY_CASE.test(text) && text.length <= MAX_SLUG_LENGTH ? text.toLowerCase() : undefined;
}
