/** Exit codes: what scripts may rely on. A signal ends the program with 128 and its number. */
export const EXIT = {
  ok: 0,
  nothing: 1,
  usage: 2,
  server: 3,
  authentication: 4,
  changed: 5,
  internal: 70,
  canceled: 130,
} as const;

/** Exit codes in words, for help and docs. */
export const EXIT_MEANINGS: readonly (readonly [code: string, meaning: string])[] = [
  [String(EXIT.ok), "picked, or listed"],
  [String(EXIT.nothing), "nothing matches"],
  [String(EXIT.usage), "invalid usage, or no terminal to pick in"],
  [String(EXIT.server), "the server is unreachable, fails, or is rate limiting"],
  [String(EXIT.authentication), "the API key is missing or invalid"],
  [String(EXIT.changed), "the offer is gone or its price changed (scripts)"],
  [String(EXIT.internal), "internal error"],
  [String(EXIT.canceled), "canceled"],
  ["128+n", "ended by signal n"],
];

/** What a program could not do: one line for the person who called it, and the exit code. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** The failure of a picker that finds no terminal. */
export function noTerminal(): Failure {
  return new Failure(EXIT.usage, "no terminal to pick in; use --first for the best match, or --list.");
}
