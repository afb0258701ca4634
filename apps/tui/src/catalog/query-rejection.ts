import {
  asSentence,
  LISTING_PARAMETERS,
  type DoorWords,
  type ListingParameter,
  type QueryProblem,
} from "@gpu-offers/domain";
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

/** The failure of a query with problems. */
export function rejectionOf(problems: readonly QueryProblem[]): Failure {
  // Images and offers come and go: nothing matches such a name now
  const isUnknownNow = problems.every(({ parameter }) => {
    const { named }: ListingParameter = LISTING_PARAMETERS[parameter];
    return named === "images" || named === "offers";
  });
  return new Failure(isUnknownNow ? EXIT.nothing : EXIT.usage, problemText(problems));
}

/** What is wrong with a query, as a sentence. */
export function problemText(problems: readonly QueryProblem[]): string {
  return asSentence(problems.map(({ parameter, reason }) => `${flagOf(parameter)} ${reason}`).join("; "));
}
