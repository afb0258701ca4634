import { InvalidArgumentError, Option, type Command } from "commander";
import {
  LISTING_FILTER_NAMES,
  LISTING_PARAMETER_NAMES,
  LISTING_PARAMETERS,
  NO_CATALOG,
  parseBits,
  parseTokens,
  queryOf,
  readParameter,
  readSearch,
  SERIES_STEPS,
  withWishes,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
} from "@gpu-offers/domain";
import { LISTING_PARAMETER_DOCS } from "@gpu-offers/domain/query";
import { LAUNCH_KINDS } from "@gpu-offers/domain/launching";
import type { PriceRange } from "../catalog/offer-source.js";
import { FORMATS, type Format } from "../output/formats.js";

/** `min-gpus` is `minGpus`, as commander names it. */
type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Text;

type FlagOf<Name extends ListingParameterName> = (typeof LISTING_PARAMETERS)[Name]["flag"];

/** The flags of the listing query; `--limit` isn't limited to a page. */
type QueryFlags = {
  [Name in Exclude<ListingParameterName, "size"> as CamelCase<FlagOf<Name> & string>]?: NonNullable<ListingQuery[Name]>;
};

/** Flags of the picker and of its scripts. */
export interface Flags extends QueryFlags, PriceRange {
  url?: string;
  catalog?: string;
  live?: true;
  id?: string;
  limit?: number;
  first?: true;
  list?: true;
  watch?: true;
  cheaper?: true;
  interval?: number;
  timeout?: number;
  exec?: string;
  sample?: true;
  format?: Format;
  fields?: string[];
  as?: string;
  check?: boolean;
  ceiling?: number;
  nodes?: number;
  top?: number;
  accessible?: true;
  /** Of `fit`. */
  bits?: number;
  context?: number;
  sequences?: number;
}

/** The parameters of the listing query with the names of their flags' values. */
const QUERY_FLAGS = LISTING_PARAMETER_NAMES.flatMap((name) => {
  const { flag } = LISTING_PARAMETERS[name];
  return flag === null || name === "size" ? [] : [[name, valueName(flag)] as const];
});

/** {@link CamelCase} at run time. */
function valueName(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function listingQueryOf(flags: Flags): ListingQuery {
  const values: Readonly<Record<string, unknown>> = { ...flags };
  return withoutUndefined(queryOf(QUERY_FLAGS.map(([name, flag]) => [name, values[flag]])));
}

/** The flags with what their words wish for, unless a flag says otherwise. */
export function withWishedFlags(flags: Flags): Flags {
  if (flags.text === undefined) {
    return flags;
  }
  const query = withWishes(listingQueryOf(flags), readSearch(flags.text, NO_CATALOG).wishes);
  return { ...flags, ...withoutUndefined(Object.fromEntries(QUERY_FLAGS.map(([name, flag]) => [flag, query[name]]))) };
}

/** Default interval of --watch in seconds. */
export const DEFAULT_INTERVAL_S = 30;

/** Parameters of the listing query that are filters, in the order of help, and the others that are flags. */
const FILTERS: readonly ListingParameterName[] = LISTING_FILTER_NAMES.filter((name) => name !== "disk");
const OTHERS = QUERY_FLAGS.map(([name]) => name).filter((name) => !FILTERS.includes(name));

/** Placeholders of values in help, by kind. Switches have none. */
const PLACEHOLDERS: Readonly<Record<(typeof LISTING_PARAMETERS)[ListingParameterName]["kind"], string>> = {
  names: "<names>",
  regions: "<names>",
  boolean: "",
  choice: "<choice>",
  choices: "<names>",
  text: "<text>",
  count: "<count>",
  index: "<count>",
  gb: "<gb>",
  usd: "<usd>",
  bandwidth: "<gbs>",
  hours: "<hours>",
};

function addParameter(command: Command, name: ListingParameterName): Command {
  const { flag, kind, values }: ListingParameter = LISTING_PARAMETERS[name];
  const { help } = LISTING_PARAMETER_DOCS[name];
  if (kind === "choice") {
    return command.addOption(new Option(`--${flag} ${PLACEHOLDERS[kind]}`, help).choices(values ?? []));
  }
  if (kind === "boolean") {
    return command.option(`--${flag}`, help);
  }
  return command.option(`--${flag} ${PLACEHOLDERS[kind]}`, help, (text: string, previous?: unknown) =>
    joined(valueOf(name, text), previous),
  );
}

/** @throws InvalidArgumentError if it isn't a value of the parameter. */
function valueOf(name: ListingParameterName, text: string): unknown {
  const read = readParameter(name, text);
  if (!read.ok) {
    throw new InvalidArgumentError(`It ${read.reason}.`);
  }
  return read.value;
}

/** Lists of a flag that is repeated are joined; words of several --text must all match. */
function joined(value: unknown, previous: unknown): unknown {
  if (Array.isArray(value)) {
    return Array.isArray(previous) ? [...(previous as unknown[]), ...(value as unknown[])] : value;
  }
  return typeof value === "string" && typeof previous === "string" ? `${previous} ${value}` : value;
}

/** Adds the flags to a command, grouped as the help shows them. */
export function addFlags(command: Command): Command {
  const filtered = FILTERS.reduce(addParameter, command.optionsGroup("Filters:"));
  return OTHERS.reduce(addParameter, filtered.optionsGroup("Disk and order:"))
    .option(`--${LISTING_PARAMETERS.size.flag} <count>`, LISTING_PARAMETER_DOCS.size.help, parseCount)
    .optionsGroup("Output:")
    .option("--first", "print the best match as JSON, without the UI")
    .option("--id <id>", "like --first, for the offer with this id")
    .option("--list", "print all matches, without the UI")
    .addOption(new Option("-o, --format <format>", "format of --list; json: print a choice as JSON").choices(FORMATS))
    .option("--fields <names>", "fields of --list: id,gpu.slug,estimate.hourly", parseFields)
    .option("--watch", "wait until something matches")
    .option("--cheaper", "with --watch: only offers cheaper than all matches now")
    .option("--interval <seconds>", `seconds between checks of --watch (default: ${DEFAULT_INTERVAL_S})`, parseSeconds)
    .option("--timeout <seconds>", "stop --watch after this time", parseSeconds)
    .option("--exec <command>", "with --watch: shell command to run for each new match")
    .option("--sample", "let scripts use sample prices, which are not for sale")
    .option("--accessible", "use numbered prompts instead of the UI (ACCESSIBLE=1)")
    .optionsGroup("Source:")
    .option("--url <url>", "address of the service (GPU_OFFERS_URL)")
    .option("--catalog <file>", "read a catalog file instead; - is standard input")
    .option("--live", "fetch current prices from providers, without a service");
}

function parseFields(text: string): string[] {
  const fields = text.split(",").map((field) => field.trim());
  return valid(fields.includes("") ? undefined : fields, "Separate values with single commas.");
}

function parseCount(text: string): number {
  return wholeNumber(text, 999_999_999, "Enter a whole number from 1 to 999,999,999.");
}

/** Maximum of --interval and --timeout: timers can't wait much longer. */
const MAX_SECONDS = 24 * 86_400;

function parseSeconds(text: string): number {
  return wholeNumber(text, MAX_SECONDS, `Enter a whole number of seconds from 1 to ${MAX_SECONDS} (24 days).`);
}

function wholeNumber(text: string, maximum: number, reason: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return valid(number >= 1 && number <= maximum ? number : undefined, reason);
}

const DAY_MS = 86_400_000;
const SPANS_MS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

/** Adds the flags of `trend`. */
export function addTrendFlags(command: Command): Command {
  return command
    .option("--since <start>", "how far back: 90d, 12w, 48h, or a date (default: 90d)", parseTime)
    .option("--until <end>", "a date, or how far back (default: now)", parseTime)
    .addOption(new Option("--step <step>", "distance of the points").choices(SERIES_STEPS));
}

/** Adds the flags of `fit`. */
export function addFitFlags(command: Command): Command {
  return command
    .option("--bits <bits>", "bits per parameter: 4, 8, 16, fp8 (default: 16)", (text) =>
      valid(parseBits(text), "Enter a number of bits such as 4, 8, 16 or fp8."),
    )
    .option("--context <tokens>", "tokens of context: 16k, 128k (default: 8k)", (text) =>
      valid(parseTokens(text), "Enter a number of tokens such as 16k or 128k."),
    )
    .option("--sequences <count>", "sequences at the same time (default: 1)", parseCount)
    .option("--limit <count>", "maximum number of offers (default: 10)", parseCount);
}

/** Adds the flags of `launch`. */
export function addLaunchFlags(command: Command): Command {
  return command
    .addOption(new Option("--as <kind>", "only for this tool").choices(LAUNCH_KINDS))
    .option("--check", "re-read the live price and stock first")
    .option("--ceiling <percent>", "how far the price may rise (default: 5)", (text) =>
      valid(/^\d{1,3}$/.test(text) ? Number(text) : undefined, "Enter a whole number of percent, such as 5."),
    )
    .option("--nodes <count>", "number of machines (default: 1)", parseCount)
    .option("--top <count>", "rent the first of this number of offers", parseCount);
}

/** @throws InvalidArgumentError if there is no value. */
function valid<Value>(value: Value | undefined, reason: string): Value {
  if (value === undefined) {
    throw new InvalidArgumentError(reason);
  }
  return value;
}

/** The start of a span until now, or a date, as ISO 8601. */
function parseTime(text: string): string {
  const [, count = "", unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const spanMs = SPANS_MS[unit];
  if (spanMs !== undefined) {
    return new Date(Date.now() - Number(count) * spanMs).toISOString();
  }
  const isDate = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) && !Number.isNaN(Date.parse(text));
  return valid(isDate ? text : undefined, "Enter a span such as 90d, 12w or 48h, or a date such as 2026-09-01.");
}

/** The same properties, without undefined ones. */
export function withoutUndefined<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = { [Key in keyof Values]: Exclude<Values[Key], undefined> };
