/** Maximum number of memoized texts; a frame has a few hundred, including single characters. */
const MAX_TEXTS = 1_000;

/** The value for a text, made once: most texts of a frame are those of the previous frame. */
export function memoized(known, text, make) {
  let value = known.get(text);
  if (value === undefined) {
    if (known.size >= MAX_TEXTS) {
      known.clear();
    }
    value = make(text);
    known.set(text, value);
  }
  return value;
}
