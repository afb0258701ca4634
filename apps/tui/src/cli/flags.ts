import { InvalidArgumentError, Option, type Command } from "commander";
import { compileSearch, isPrice, SORT_ORDERS, type OfferFilter, type SortOrder } from "@gpu-offers/domain";
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
  region?: string[];
  provider?: string[];
  minGpus?: number;
  maxGpus?: number;
  minVram?: number;
  minTotalVram?: number;
  minRam?: number;
  minVcpu?: number;
  nvlink?: true;
  maxPrice?: number;
  maxTotal?: number;
  budget?: number;
  hours?: number;
  available?: true;
  text?: string;
  disk?: number;
  image?: string;
  os?: string;
  cuda?: string;
  id?: string;
  sort?: SortBy;
  order?: SortOrder;
  limit?: number;
  first?: true;
  list?: true;
  watch?: true;
  interval?: number;
  timeout?: number;
  exec?: string;
  format?: Format;
  accessible?: true;
}

/** How often --watch asks, in seconds. */
export const DEFAULT_INTERVAL_S = 30;

/** Flags that make no sense together, with the reason. One that is dropped in silence misleads. */
const MISTAKES: readonly { isMade: (flags: Flags) => boolean; reason: string }[] = [
  {
    isMade: ({ first, list }) => first === true && list === true,
    reason: "--first and --list exclude each other: use one of them.",
  },
  {
    isMade: ({ limit, list, first, watch }) => limit !== undefined && list !== true && first !== true && watch !== true,
    reason: "--limit is for --list; the picker shows every match.",
  },
  {
    isMade: ({ format, list }) => format !== undefined && list !== true,
    reason: "--format is for --list; the picker and --first print one line of JSON.",
  },
  {
    isMade: ({ id, list, watch }) => id !== undefined && (list === true || watch === true),
    reason: "--id is one offer: use it with --first, or gpu-offers show ID.",
  },
  {
    isMade: ({ hours, budget }) => hours !== undefined && budget === undefined,
    reason: "--hours says how long a --budget has to last.",
  },
  {
    isMade: ({ timeout, watch }) => timeout !== undefined && watch !== true,
    reason: "--timeout is for --watch.",
  },
  {
    isMade: ({ exec, watch, list }) => exec !== undefined && (watch !== true || list === true),
    reason: "--exec is for --watch without --list: it runs for the best match.",
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
const COMMAND_FLAGS: readonly (keyof Flags)[] = ["url", "catalog", "provider", "format"];

/** Flags that price an offer. */
const PRICING_FLAGS: Readonly<Record<string, readonly (keyof Flags)[]>> = {
  show: ["disk", "budget"],
  compare: ["disk", "budget"],
};

/** @throws Failure for the first flag that would change nothing in a sub-command. */
export function checkCommandFlags(command: string, flags: Flags): void {
  const used = new Set<string>([...COMMAND_FLAGS, ...(PRICING_FLAGS[command] ?? [])]);
  const idle = Object.keys(flags).find((name) => !used.has(name));
  if (idle !== undefined) {
    const flag = `--${idle.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new Failure(EXIT.usage, `${flag} has no effect on ${command}; leave it out.`);
  }
}

/** Adds the flags to a command, grouped as the help shows them. */
export function addFlags(command: Command): Command {
  return addRunFlags(addFilterFlags(command));
}

function addFilterFlags(command: Command): Command {
  return command
    .optionsGroup("Which offers:")
    .option("--text <words>", 'words as in the picker: "8xh100 eu", "24g+ <0.5", "!aws"')
    .option("--gpu <names>", 'GPUs: h100, "a100 80gb", 4090; =h100 is only that slug', parseList)
    .option("--continent <names>", 'continents: EU, "North America", apac', parseList)
    .option("--country <names>", "countries: NO, Finland, UK, nordics", parseList)
    .option("--region <names>", "regions in the provider's words: us-east-1", parseList)
    .option("--provider <names>", "providers", parseList)
    .option("--min-gpus <count>", "minimum GPUs per instance", parseCount)
    .option("--max-gpus <count>", "maximum GPUs per instance", parseCount)
    .option("--min-vram <gb>", "minimum memory of one GPU", parseCount)
    .option("--min-total-vram <gb>", "minimum memory of all GPUs together", parseCount)
    .option("--min-ram <gb>", "minimum memory of the machine", parseCount)
    .option("--min-vcpu <count>", "minimum virtual CPUs", parseCount)
    .option("--nvlink", "only GPUs that are joined by NVLink")
    .option("--max-price <usd>", "maximum price per GPU-hour", parsePrice)
    .option("--max-total <usd>", "maximum hourly price with the disk", parsePrice)
    .option("--budget <usd>", "amount to spend; also gives the runway", parsePrice)
    .option("--hours <count>", "hours that the budget must last (default: 1)", parseCount)
    .option("--available", "only what can be rented now")
    .option("--image <id>", "only providers with this OS image; it is chosen")
    .option("--os <name>", "only providers with such an image: ubuntu-22.04")
    .option("--cuda <version>", "only providers with such an image: 12, 12.4", parseVersion);
}

function addRunFlags(command: Command): Command {
  return command
    .optionsGroup("Disk and order:")
    .option("--disk <gb>", "disk that you need, for filter and price", parseCount)
    .addOption(new Option("--sort <key>", "sort key").choices(SORTS))
    .addOption(new Option("--order <order>", "sort direction").choices(SORT_ORDERS))
    .option("--limit <count>", "maximum number of offers, with --list", parseCount)
    .optionsGroup("Output:")
    .option("--first", "print the best match as JSON, without the UI")
    .option("--id <id>", "like --first, for the offer of this id")
    .option("--list", "print all matches, without the UI")
    .addOption(new Option("--format <format>", "format of --list").choices(FORMATS))
    .option("--watch", "wait until something matches")
    .option("--interval <seconds>", `seconds between checks of --watch (default: ${DEFAULT_INTERVAL_S})`, parseCount)
    .option("--timeout <seconds>", "stop --watch after this time", parseCount)
    .option("--exec <command>", "with --watch: run it for each new best match")
    .option("--accessible", "numbered prompts instead of a screen (ACCESSIBLE=1)")
    .optionsGroup("Source:")
    .option("--url <url>", "address of the service (GPU_OFFERS_URL)")
    .option("--catalog <file>", "read a catalog file instead; - is standard input");
}

/** Filters that are names, as the catalog has them. */
export type NamedFilters = Pick<OfferFilter, "gpu" | "continent" | "country" | "provider" | "image">;

/** The query of flags and settings, with the names that they mean. */
export function queryOf(flags: Flags, settings: Settings, named: NamedFilters): Query {
  const filter: OfferFilter = {
    ...named,
    region: flags.region,
    minGpuCount: flags.minGpus,
    maxGpuCount: flags.maxGpus,
    minVramGb: flags.minVram,
    minTotalVramGb: flags.minTotalVram,
    minRamGb: flags.minRam,
    minVcpu: flags.minVcpu,
    nvlink: flags.nvlink,
    maxPricePerGpu: flags.maxPrice,
    maxTotalHourly: flags.maxTotal,
    budget: flags.budget === undefined ? undefined : { usd: flags.budget, hours: flags.hours ?? 1 },
    available: flags.available,
    search: flags.text === undefined ? undefined : compileSearch(flags.text),
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
    throw new InvalidArgumentError("Separate values with single commas.");
  }
  return items;
}

function parseVersion(text: string): string {
  if (!/^\d+(?:\.\d+)*$/.test(text)) {
    throw new InvalidArgumentError("A version is like 12 or 12.4.");
  }
  return text;
}

function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1) {
    throw new InvalidArgumentError("Enter a whole number from 1.");
  }
  return count;
}

function parsePrice(text: string): number {
  const price = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!isPrice(price)) {
    throw new InvalidArgumentError("Enter an amount in USD such as 2.50, with at most 6 decimals.");
  }
  return price;
}
