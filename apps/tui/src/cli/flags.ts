import { InvalidArgumentError, Option, type Command } from "commander";
import { CONTINENTS, findContinent, findGpuSlug, isPrice, SORT_ORDERS, type SortOrder } from "@gpu-offers/domain";
import { FORMATS, type Format } from "../output/formats.js";
import { SORTS, type Query, type SortBy } from "../query/query.js";
import { EXIT, Failure } from "../output/exit.js";
import type { Settings } from "./settings.js";

/** Flags of the picker and of its scripts. */
export interface Flags {
  url?: string;
  catalog?: string;
  gpu?: string[];
  continent?: string[];
  country?: string[];
  provider?: string[];
  minGpus?: number;
  maxGpus?: number;
  minVram?: number;
  maxPrice?: number;
  maxTotal?: number;
  available?: true;
  text?: string;
  disk?: number;
  image?: string;
  sort?: SortBy;
  order?: SortOrder;
  limit?: number;
  first?: true;
  list?: true;
  watch?: true;
  interval?: number;
  format?: Format;
  accessible?: true;
}

/** How often --watch asks, in seconds. */
export const DEFAULT_INTERVAL_S = 30;

/** Flags that make no sense together, with the reason. One that is dropped in silence misleads. */
const MISTAKES: readonly { isMade: (flags: Flags) => boolean; reason: string }[] = [
  {
    isMade: ({ first, list }) => first === true && list === true,
    reason: "--first and --list exclude each other: it is one match, or all of them.",
  },
  {
    isMade: ({ limit, list, first, watch }) => limit !== undefined && list !== true && first !== true && watch !== true,
    reason: "--limit is for --list; the picker shows every match, and its filters narrow them.",
  },
  {
    isMade: ({ format, list }) => format !== undefined && list !== true,
    reason: "--format is for --list; the picker and --first print one line of JSON.",
  },
  {
    isMade: ({ image, list }) => image !== undefined && list === true,
    reason: "--image is for a deployment: give it to --first or to the picker.",
  },
  {
    isMade: ({ minGpus = 1, maxGpus = Number.POSITIVE_INFINITY }) => minGpus > maxGpus,
    reason: "--min-gpus is more than --max-gpus: nothing can match.",
  },
  {
    isMade: ({ interval, watch }) => interval !== undefined && watch !== true,
    reason: "--interval is for --watch.",
  },
];

/** @throws Failure for the first flags that make no sense together. */
export function checkFlags(flags: Flags): void {
  const mistake = MISTAKES.find(({ isMade }) => isMade(flags));
  if (mistake !== undefined) {
    throw new Failure(EXIT.usage, mistake.reason);
  }
}

/** Flags that sub-commands know: where from, and how it is printed. A SkyPilot file may need its provider's name. */
const COMMAND_FLAGS: ReadonlySet<string> = new Set(["url", "catalog", "provider", "format"] satisfies (keyof Flags)[]);

/** @throws Failure for the first flag that would change nothing in a sub-command. */
export function checkCommandFlags(command: string, flags: Flags): void {
  const idle = Object.keys(flags).find((name) => !COMMAND_FLAGS.has(name));
  if (idle !== undefined) {
    const flag = `--${idle.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new Failure(EXIT.usage, `${flag} changes nothing for ${command}; leave it out.`);
  }
}

/** Adds the flags to a command, grouped as the help shows them. */
export function addFlags(command: Command): Command {
  return addRunFlags(addFilterFlags(command));
}

function addFilterFlags(command: Command): Command {
  return command
    .optionsGroup("Which offers:")
    .option("--gpu <slugs>", "GPU slugs, such as h100-sxm,h200-sxm", parseGpus)
    .option("--continent <names>", 'continents, such as Europe or "North America"', parseContinents)
    .option("--country <codes>", "codes of countries, such as NO,FI", parseCountries)
    .option("--provider <names>", "providers", parseList)
    .option("--min-gpus <count>", "fewest GPUs of an instance", parseCount)
    .option("--max-gpus <count>", "most GPUs of an instance", parseCount)
    .option("--min-vram <gb>", "least memory of one GPU", parseCount)
    .option("--max-price <usd>", "highest price per GPU and hour", parsePrice)
    .option("--max-total <usd>", "highest hourly price with the disk", parsePrice)
    .option("--available", "only what can be rented now")
    .option("--text <words>", "words that all occur in what a list shows of an offer");
}

function addRunFlags(command: Command): Command {
  return command
    .optionsGroup("What for:")
    .option("--disk <gb>", "disk that is needed; the price with it can be sorted by", parseCount)
    .option("--image <id>", "OS image of the deployment; the picker then passes the step over")
    .addOption(new Option("--sort <key>", "what to sort by").choices(SORTS))
    .addOption(new Option("--order <order>", "direction").choices(SORT_ORDERS))
    .option("--limit <count>", "at most so many offers (with --list)", parseCount)
    .optionsGroup("How:")
    .option("--first", "print the best match as JSON, without a terminal")
    .option("--list", "print all matches, without a terminal")
    .addOption(new Option("--format <format>", "how lists are printed").choices(FORMATS))
    .option("--watch", "wait until something matches (with --first or --list)")
    .addOption(
      new Option("--interval <seconds>", `how often --watch asks (default: ${DEFAULT_INTERVAL_S})`).argParser(
        parseCount,
      ),
    )
    .optionsGroup("Where from:")
    .option("--url <url>", "address of the service (GPU_OFFERS_URL)")
    .option(
      "--catalog <file>",
      "a catalog file instead of a service: native, SkyPilot CSV, saved answer; - is standard input",
    )
    .option("--accessible", "numbered prompts instead of a screen (ACCESSIBLE=1)");
}

/** The question that flags and settings ask. */
export function queryOf(flags: Flags, settings: Settings): Query {
  const filter = {
    gpu: flags.gpu,
    continent: flags.continent,
    country: flags.country,
    provider: flags.provider,
    minGpuCount: flags.minGpus,
    maxGpuCount: flags.maxGpus,
    minVramGb: flags.minVram,
    maxPricePerGpu: flags.maxPrice,
    maxTotalHourly: flags.maxTotal,
    available: flags.available,
    text: flags.text,
    diskGb: flags.disk ?? settings.disk,
  };
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    sort: flags.sort ?? settings.sort ?? "pricePerGpu",
    order: flags.order ?? settings.order ?? "asc",
  };
}

function parseList(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  if (items.includes("")) {
    throw new InvalidArgumentError("It is one value, or several with commas between them.");
  }
  return items;
}

function parseGpus(text: string): string[] {
  return parseList(text).map((item) => {
    const slug = findGpuSlug(item);
    if (slug === undefined) {
      throw new InvalidArgumentError(`${JSON.stringify(item)} is no GPU slug; one looks like h100-sxm.`);
    }
    return slug;
  });
}

function parseContinents(text: string): string[] {
  return parseList(text).map((item) => {
    const continent = findContinent(item);
    if (continent === undefined) {
      throw new InvalidArgumentError(`${JSON.stringify(item)} is none of ${CONTINENTS.join(", ")}.`);
    }
    return continent;
  });
}

function parseCountries(text: string): string[] {
  return parseList(text).map((item) => {
    if (!/^[a-z]{2}$/i.test(item)) {
      throw new InvalidArgumentError(`${JSON.stringify(item)} is no code of a country; one looks like NO.`);
    }
    return item.toUpperCase();
  });
}

function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1) {
    throw new InvalidArgumentError("It is a whole number from 1.");
  }
  return count;
}

function parsePrice(text: string): number {
  const price = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!isPrice(price)) {
    throw new InvalidArgumentError("It is an amount of USD such as 2.50, with at most 6 decimals.");
  }
  return price;
}
