/**
 * The source cannot be read as the format at all, so nothing of it may be used: it is empty, not of this
 * format, not UTF-8, or has a record too large to hold. The message is for people: where, what, and what
 * to do. What is wrong with one row alone is a rejection instead.
 */
export class SourceError extends Error {
  override readonly name = "SourceError";
  /** Place in the source, such as `line 17` or `providers[2]`; undefined if the problem is not in one place. */
  readonly where: string | undefined;

  /** @param reason One or two sentences; the message puts the place before them. */
  constructor(reason: string, where?: string, options?: ErrorOptions) {
    super(where === undefined ? reason : `${where}: ${reason}`, options);
    this.where = where;
  }
}
