import { asSentence, LISTING_PARAMETERS, type DoorWords, type QueryProblem } from "@gpu-offers/domain";
import { EXIT, Failure } from "../exit-codes.js";

// Queries that can't be right, in the words of the command line.

/** Hints as a command line is written. */
export const FLAG_WORDS: DoorWords = {
  assign: (name, value) => `${flagOf(name)} ${/\s/.test(value) ? JSON.stringify(value) : value}`,
  nameOf: flagOf,
  gpus: "gpu-offers gpus",
};

/** The flag of a parameter. */
export function flagOf(name: QueryProblem["parameter"]): string {
  return `--${LISTING_PARAMETERS[name].flag}`;
}

/** Parameters whose unknown names may be known later: nothing matches them now. */
const COME_AND_GO: ReadonlySet<string> = new Set(["image", "os", "cuda", "region", "instance_type"]);

/** The failure of a query with problems. */
export function rejectionOf(problems: readonly QueryProblem[]): Failure {
  const isUnknownNow = problems.every(({ parameter }) => COME_AND_GO.has(parameter));
  return new Failure(isUnknownNow ? EXIT.nothing : EXIT.usage, problemText(problems));
}

/** What is wrong with a query, as a sentence. */
export function problemText(problems: readonly QueryProblem[]): string {
  return asSentence(problems.map(({ parameter, reason }) => `${flagOf(parameter)} ${reason}`).join("; "));
}
