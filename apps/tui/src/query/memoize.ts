/**
 * The function with its last response memoizeLast, for as long as its arguments are the very same: what is drawn for every
 * key, over thousands of offers, is mostly what it was.
 */
export function memoizeLast<Args extends readonly unknown[], Value>(
  make: (...args: Args) => Value,
): (...args: Args) => Value {
  let last: { args: Args; value: Value } | undefined;
  return (...args) => {
    if (last === undefined || args.some((arg, index) => arg !== last?.args[index])) {
      last = { args, value: make(...args) };
    }
    return last.value;
  };
}
