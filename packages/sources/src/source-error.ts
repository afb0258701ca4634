/**
 * What a caller can fix: the text or the JSON has none of our formats (`unknown_text`, `unknown_json`), or the option
 * `provider` or `columns` is missing.
 */
export type SourceProblem = "unknown_text" | "unknown_json" | "no_provider" | "no_columns";

/**
 * The source cannot be read as the format at all, so nothing of it may be used: it is empty, in another format, not
 * UTF-8, or has a record too large for memory. The message is for people: where, what, and what to do. A problem in a
 * single row is a rejection instead.
 */
export class SourceError extends Error {
  override readonly name = "SourceError";
  /** Location in the source, such as `line 17` or `providers[2]`; undefined if the problem is not in one place. */
  readonly where: string | undefined;
  /** For callers that name their own options, such as flags; undefined for other problems. */
  readonly problem: SourceProblem | undefined;

  /** Sources of the operator's own may bring their own copy of this package, whose errors mean the same. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "SourceError";
  }

  /** @param reason One or two sentences; the message puts the location before them. */
  constructor(
    reason: string,
    where?: string,
    { problem, ...options }: ErrorOptions & { problem?: SourceProblem } = {},
  ) {
    super(where === undefined ? reason : `${where}: ${reason}`, options);
    this.where = where;
    this.problem = problem;
  }
}
