/** The result of work in slices, all of which are done at once. */
export function finished<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) {
      return value;
    }
  }
}
