import {
  findParameter,
  LISTING_PARAMETERS,
  LISTING_PARAMETER_NAMES,
  type ListingParameterName,
} from "./listing-parameters.js";
import { nearNames } from "../text/near-names.js";

// What is said about a parameter that doesn't exist, on every door.

const PAGING: ReadonlySet<ListingParameterName> = new Set(["page", "size"]);

/** Whether these are parameters of the listing query, which has names on other doors. v1's queries have none. */
function isListingQuery(known: readonly string[]): boolean {
  return LISTING_PARAMETER_NAMES.every((name) => known.includes(name) || PAGING.has(name));
}

/** More names than these say nothing about what was meant. */
const MAX_MEANT = 3;

/** A known parameter, with its names on all doors. */
interface Called {
  known: string;
  names: readonly string[];
}

/**
 * The parameters that were probably meant: the one that is nearly called so, the one that another door calls so (a flag is
 * found with underscores, too: `min_gpus`), or those whose names have all of its words (`max_price_per_gpu`).
 * @param parameterOf the listing query's parameter with the name; undefined for others.
 */
function meantBy(
  name: string,
  known: readonly string[],
  parameterOf: (known: string) => ListingParameterName | undefined,
): readonly string[] {
  const nearest = nearNames(name, known).find((one) => !areOpposite(name, one));
  if (nearest !== undefined) {
    return [nearest];
  }
  const all = known.map((one): Called => ({ known: one, names: namesOf(parameterOf(one)) ?? [one] }));
  const called = all.find(({ names }) => names.includes(name) || names.includes(name.replaceAll("_", "-")));
  const meant = called === undefined ? havingWordsOf(name, all) : [called];
  return meant.length > MAX_MEANT ? [] : meant.map((one) => one.known);
}

function namesOf(parameter: ListingParameterName | undefined): readonly string[] | undefined {
  if (parameter === undefined) {
    return undefined;
  }
  const { flag, argument } = LISTING_PARAMETERS[parameter];
  return [parameter, flag, argument].filter((name) => name !== null);
}

/** Parameters of which one name has the same letters, or all names together have all of its words. */
function havingWordsOf(name: string, all: readonly Called[]): Called[] {
  const letters = lettersOf(name);
  const spelled = all.flatMap(({ names }) => names).find((one) => lettersOf(one) === letters);
  const words = wordsOf(spelled ?? name);
  return all.filter(({ names }) => {
    const known = new Set(names.flatMap(wordsOf));
    return words.every((word) => known.has(word));
  });
}

/** Whether one is a minimum and the other a maximum, which is never meant. */
function areOpposite(name: string, other: string): boolean {
  const limits = [name, other].map((one) => /^(?:min|max)/i.exec(one)?.[0].toLowerCase());
  return limits.every((limit) => limit !== undefined) && limits[0] !== limits[1];
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

/** Words with the same meaning, by the one that stands for both. */
const SAME_WORDS: ReadonlyMap<string, string> = new Map([
  ["cost", "usd"],
  ["dollar", "usd"],
  ["hourly", "hour"],
  ["price", "usd"],
]);

/** The words of `max_price`, `max-price` or `maxUsdPerHour`, singular and in lower case. */
function wordsOf(name: string): string[] {
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_")
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? [""];
  return words.map((word) => {
    const singular = word.replace(/(?<=..)s$/, "");
    return SAME_WORDS.get(singular) ?? singular;
  });
}

/** The arguments of agents that were probably meant by one that doesn't exist. See {@link unknownParameter}. */
export function meantArguments(name: string, known: readonly string[]): readonly string[] {
  return meantBy(name, known, (one) => findParameter("argument", one));
}

/** Why a parameter is invalid that is none of these: a clause that follows its name. */
export function unknownParameter(name: string, known: readonly string[]): string {
  const meant = isListingQuery(known)
    ? meantBy(name, known, (one) => LISTING_PARAMETER_NAMES.find((parameter) => parameter === one))
    : nearNames(name, known).slice(0, 1);
  return meant.length === 0
    ? `is unknown; known are ${known.join(", ")}`
    : `is unknown; did you mean ${meant.join(", ")}?`;
}
