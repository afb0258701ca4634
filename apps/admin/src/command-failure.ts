/** A command failed: a message for the operator, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  /** @param exitCode 1: not done, nothing changed; 2: wrong usage; 3: done, but the output could not be written. */
  constructor(
    message: string,
    readonly exitCode: 0 | 1 | 2 | 3 = 1,
  ) {
    super(message);
  }
}
