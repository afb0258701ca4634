/** The value of a key, made and kept when it is first asked for. */
export function memoized<Key, Value extends {} | null>(
  values: { get: (key: Key) => Value | undefined; set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = values.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  values.set(key, made);
  return made;
}

/** What returns a value that is made when it is first asked for: a start doesn't wait for tables that it may not need. */
export function lazily<Value extends {}>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
