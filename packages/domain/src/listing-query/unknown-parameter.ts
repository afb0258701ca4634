import { LISTING_PARAMETER_NAMES } from "./listing-parameter-names.js";
import { LISTING_PARAMETERS } from "./listing-parameters.js";
import { lettersOf, nearNames } from "../text/near-names.js";

// What is said about a parameter that doesn't exist, on every door.

/** Whether these are parameters of the listing query, which has names on other doors. v1's queries have none. */
function isListingQuery(known: readonly string[]): boolean {
  return LISTING_PARAMETER_NAMES.every((name) => known.includes(name));
}

/** More names than these say nothing about what was meant. */
const MAX_MEANT = 3;

/**
 * The parameters or arguments that were probably meant by one that doesn't exist: the one that is nearly called so, the one
 * that another door calls so, however its words are joined (`min_gpus`), or those whose names have all of its words
 * (`max_price_per_gpu`).
 * @param known names of all parameters or arguments of one door.
 */
export function meantNames(name: string, known: readonly string[]): readonly string[] {
  const nearest = nearNames(name, known).find((one) => !areOpposite(name, one));
  if (nearest !== undefined) {
    return [nearest];
  }
  const letters = lettersOf(name);
  const called = known.find((one) => namesOf(one).some((other) => lettersOf(other) === letters));
  if (called !== undefined) {
    return [called];
  }
  const words = wordsOf(name);
  const meant = known.filter((one) => {
    const own = new Set(namesOf(one).flatMap(wordsOf));
    return words.every((word) => own.has(word));
  });
  return meant.length > MAX_MEANT ? [] : meant;
}

/** The names of a parameter on all doors; those of others are their own. */
function namesOf(known: string): readonly string[] {
  const all = LISTING_PARAMETER_NAMES.map((name) => [
    name,
    LISTING_PARAMETERS[name].flag ?? name,
    LISTING_PARAMETERS[name].argument ?? name,
  ]);
  return all.find(([name, , argument]) => name === known || argument === known) ?? [known];
}

/** Whether one is a minimum and the other a maximum, which is never meant. */
function areOpposite(name: string, other: string): boolean {
  return /^(?:min.*\nmax|max.*\nmin)/i.test(`${name}\n${other}`);
}

/** The words of `max_price`, `max-prices` or `maxUsdPerHour` in lower case; those that mean the same are one. */
function wordsOf(name: string): string[] {
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_")
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? [""];
  return words.map((word) => word.replace(/(?<=..)(?:s|ly)$/, "").replace(/^(?:price|cost|dollar)$/, "usd"));
}

/** Why a parameter is invalid that is none of these: a clause that follows its name. */
export function unknownParameter(name: string, known: readonly string[]): string {
  const meant = isListingQuery(known) ? meantNames(name, known) : nearNames(name, known).slice(0, 1);
  return meant.length === 0
    ? `is unknown; known are ${known.join(", ")}`
    : `is unknown; did you mean ${meant.join(", ")}?`;
}
