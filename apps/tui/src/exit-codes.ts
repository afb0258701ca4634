/** Exit codes, which are stable. A signal ends the program with 128 plus its number. */
export const EXIT = {
  ok: 0,
  nothing: 1,
  usage: 2,
  server: 3,
  authentication: 4,
  changed: 5,
  command: 6,
  sample: 7,
  internal: 70,
  unwritten: 74,
  canceled: 130,
} as const;

/** Descriptions of exit codes, for help and docs. */
export const EXIT_MEANINGS: readonly (readonly [code: string, meaning: string])[] = [
  [String(EXIT.ok), "success"],
  [String(EXIT.nothing), "no offers match"],
  [String(EXIT.usage), "invalid usage, or no terminal for the picker"],
  [String(EXIT.server), "the server is unreachable, failing, or rate limiting"],
  [String(EXIT.authentication), "the API key is missing or invalid"],
  [String(EXIT.changed), "the offer is gone or unavailable, or its price has changed (scripts)"],
  [String(EXIT.command), "the command of --exec failed"],
  [String(EXIT.sample), "only sample prices, or none could be fetched (scripts)"],
  [String(EXIT.internal), "internal error"],
  [String(EXIT.unwritten), "the result could not be written"],
  [String(EXIT.canceled), "canceled"],
  ["128+n", "ended by signal n"],
];

/** The program failed: a one-line message for the user, and the exit code. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** The failure if there is no terminal for the picker. */
export function noTerminal(): Failure {
  return new Failure(EXIT.usage, "the picker needs a terminal. Use --first for the best match, or --list.");
}
