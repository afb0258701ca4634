import {
  asSentence,
  isDoorDefault,
  LISTING_PARAMETER_NAMES,
  LISTING_PARAMETERS,
  NOT_SOLD_OUT,
  understoodText,
  type DoorWords,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
  type NearSearch,
  type QueryProblem,
  type Understood,
} from "@gpu-offers/domain";
import { chipOf, countOf } from "@gpu-offers/list";
import { EXIT, Failure } from "../exit-codes.js";
import type { Matches } from "./offer-source.js";

// What is said of a query in the words of the command line: how it was read, why it can't be right, and what would help if
// nothing matches.

/** Hints as a command line is written. */
export const FLAG_WORDS: DoorWords = {
  assign: (name, value) => `${flagOf(name)} ${/\s/.test(value) ? JSON.stringify(value) : value}`,
  nameOf: flagOf,
  gpus: "gpu-offers gpus",
};

export function flagOf(name: QueryProblem["parameter"]): string {
  return `--${LISTING_PARAMETERS[name].flag}`;
}

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

/** Maximum number of filters whose counts are said. */
const MAX_ADVICE = 3;

/** The failure of a query without matches, with what would help: other words, or fewer filters. */
export function nothingMatches(
  query: ListingQuery,
  { understood, excludedBy }: Matches,
  near: NearSearch | undefined,
): Failure {
  const advice = LISTING_PARAMETER_NAMES.map((name) => ({ name, count: excludedBy[name] ?? 0 }))
    // What defaults leave out is reported anyway.
    .filter(({ name, count }) => count > 0 && !isDoorDefault(name, query))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_ADVICE)
    .map(({ name, count }) => `${withoutText(name, query)}: ${countOf(count, "offer")}`);
  const nearest =
    near === undefined ? [] : [`Nearest text ${JSON.stringify(near.text)}: ${countOf(near.count, "offer")}`];
  const all = [...readingsOf(wordsOf(query, understood), "Read as "), ...nearest, ...advice];
  const hint = all.length === 0 ? "Relax the filters, or wait with --watch." : all.map(asSentence).join(" ");
  return new Failure(EXIT.nothing, `no offers match. ${hint}`);
}

/** Describes what dropping a filter would show. `--first` excludes sold-out offers even without a flag. */
function withoutText(name: ListingParameterName, query: ListingQuery): string {
  if (name === "q") {
    return `Without the words ${JSON.stringify(query.q)}`;
  }
  return name === "availability" && query.availability === NOT_SOLD_OUT
    ? "Sold-out offers"
    : `Without ${flagOf(name)} (${chipOf(name, query)})`;
}

/**
 * How words were taken, if otherwise than written: `h100: H100 in 4 forms; in germany: Germany`. Unknown words are
 * sentences of their own.
 */
export function readingsOf(understood: readonly Understood[], prefix = ""): string[] {
  const taken = understood.filter(({ nearest }) => nearest === undefined);
  const unknown = understood.filter(({ nearest }) => nearest !== undefined);
  const reading = taken.map(understoodText).join("; ");
  return [
    ...(reading === "" ? [] : [prefix + reading]),
    ...unknown.map(({ text, as }) => `${JSON.stringify(text)} is ${as}`),
  ];
}

/** What was understood of a query, without the names that were reported when its flags were read. */
export function wordsOf(query: ListingQuery, understood: readonly Understood[]): readonly Understood[] {
  const names = LISTING_PARAMETER_NAMES.filter((name) => {
    const { named }: ListingParameter = LISTING_PARAMETERS[name];
    return named === "grammar";
  });
  const reported = new Set<unknown>(names.flatMap((name) => query[name] ?? []));
  return understood.filter(({ text }) => !reported.has(text));
}
