/**
 * Memoizes a function's last result, for identical arguments. After a key, most of what is computed over thousands of
 * offers is unchanged.
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
