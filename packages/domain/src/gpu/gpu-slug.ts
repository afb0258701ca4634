/** Maximum length of a GPU slug in the `gpu` filter. */
export const MAX_SLUG_LENGTH = 64;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ANY_CASE = new RegExp(SLUG, "i");

/** True for lower-case letters and digits joined by single hyphens, at most 64 characters. */
export function isGpuSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && SLUG.test(text);
}

/** The slug in a text, ignoring case; undefined if it is not one. */
export function findGpuSlug(text: string): string | undefined {
  // Only the case of ASCII letters is folded: the Kelvin sign in "\u212A80" is not a k.
  return ANY_CASE.test(text) && text.length <= MAX_SLUG_LENGTH ? text.toLowerCase() : undefined;
}
