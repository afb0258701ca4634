/**
 * A value that an index or a table must hold. A broken one has to fail: it must not pass for offer 0.
 * @throws RangeError if it does not hold it.
 */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) {
    throw new RangeError("An index refers to something that does not exist.");
  }
  return value;
}
