/**
 * Asserts a value that an index or a table must contain. A broken one must fail instead of returning offer 0.
 * @throws RangeError if the value is missing.
 */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) {
    throw new RangeError("A required value is missing.");
  }
  return value;
}
