/** A command that could not do what it was told: one sentence for the operator, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  /** @param exitCode 1: not done, nothing changed; 2: bad usage. */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}
