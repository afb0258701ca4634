import { gpuModels } from "../gpu/gpu-models.js";
import { HOURS_OF_30_DAYS } from "../money/money.js";
import { UNITS } from "../text/plain-numbers.js";
import { COUNTS, FIELDS, LIMIT_ENDS, LIMITS, PRICE_ENDS, SIZES, takeFirst } from "./search-limits.js";
import type { SearchField, SearchOperator, SearchTerm } from "./search-term.js";

// Numbers of a search with their limits and units: `under $2`, `48gb vram`, `$1-$2`, `at least 32 cores`, `disk>=1000`.

/** A limit of a number in the unit of its field. */
export type Limit = Pick<Extract<SearchTerm, { kind: "compare" }>, "operator" | "value">;

interface Quantity {
  /** What it is of; undefined for a bare number. */
  field: SearchField | undefined;
  number: number;
  /** What its unit multiplies. */
  scale: number;
  /** What a price is for, if anything says so; `total` may be an hour, or all hours. */
  per?: "gpu" | "hour" | "instance" | "total" | undefined;
  hasPlus: boolean;
  /** More than digits: a point, a currency or a unit. */
  isMarked: boolean;
  /** A currency says that it is a price. */
  isMoney: boolean;
  /** A size without a name: `80gb`. */
  isBare: boolean;
  isSpelled: boolean;
  isWhole: boolean;
  /** Length of the text. */
  length: number;
}

/** What the start of a text means. */
export interface Amount extends Quantity {
  /** One limit, or two. */
  limits: readonly Limit[];
  isBudget: boolean;
  /** A sign or words limit it. A bare number with a plus or in a range may be a part of a name. */
  isLimited: boolean;
  /** The exact form says the same: `80gb`, `<2`, `8x`. */
  isExact: boolean;
}

const NUMBER = String.raw`(\d{1,12}(?:\.\d{1,20})?|\.\d{1,20})(k(?![a-z]))?`;
const quantityPattern = new RegExp(
  String.raw`^(?:us)?(\$ ?)?(?:${NUMBER}|(${Object.keys(COUNTS).join("|")}|(?:half )?an?(?= (?:dollars?|bucks?|cents?|tb|terabytes?)\b)))(\+)?(?:[ -]?(?:(g(?:i?b|igs?|igabytes?)?|t(?:i?b|erabytes?)?)|([x*]|gpus?|cards?|way)|((?:v?cpu )?cores?(?: cpus?)?|v?cpus?|threads?)|(\$|usd|dollars?|bucks?)|(cents?|ct|¢)))?(\+)?(?=$|[ /-])`,
);

function readQuantity(text: string): Quantity | undefined {
  const [all = "", sign, digits = "", kilo, spelled, plus, size, count, cpu, currency, cents, lastPlus] =
    quantityPattern.exec(text) ?? [];
  const number =
    spelled === undefined
      ? Number(digits) * (kilo === undefined ? 1 : 1000)
      : (COUNTS[spelled] ?? (spelled.startsWith("half") ? 0.5 : 1));
  const named = size === undefined ? undefined : takeFirst(SIZES, text.slice(all.length));
  const isCount = count !== undefined;
  // Smaller numbers have no plain notation, and "4090 gpus" is no count.
  if (
    all === "" ||
    (number !== 0 && number < 1e-6) ||
    (isCount && digits.length === 4) ||
    (sign !== undefined && (size ?? count ?? cpu) !== undefined)
  ) {
    return undefined;
  }
  const read: Quantity = {
    field:
      size === undefined ? (isCount ? "gpuCount" : cpu === undefined ? undefined : "vcpu") : (named?.meaning ?? "vram"),
    isBare: size !== undefined && named === undefined,
    isSpelled: spelled !== undefined,
    isWhole: Number.isInteger(number) && !digits.includes("."),
    isMoney: (sign ?? currency ?? cents) !== undefined,
    number,
    scale: size === undefined ? (cents === undefined ? 1 : 0.01) : UNITS.gb[size.startsWith("t") ? "t" : "g"],
    hasPlus: (plus ?? lastPlus) !== undefined,
    isMarked: spelled === undefined && (all.length > digits.length || digits.includes(".")),
    length: all.length + (named?.length ?? 0),
  };
  return read.field === undefined ? priceOf(text, read) : read;
}

/** The number with what it is a price for, if it is one: `$2 per gpu per hour`. */
function priceOf(text: string, start: Quantity): Quantity {
  let { length } = start;
  const ends = new Set<string>();
  for (;;) {
    const end = takeFirst(PRICE_ENDS, text.slice(length));
    // "2 hours" without a currency is a time.
    const isTime =
      end?.meaning === "hour" && !start.isMoney && ends.size === 0 && !/^ ?(?:\/|per|an? )|^h/.test(end.match[0]);
    if (end === undefined || isTime) {
      break;
    }
    ends.add(end.meaning);
    length += end.length;
  }
  const hours = ends.has("month") ? HOURS_OF_30_DAYS : ends.has("week") ? 168 : ends.has("day") ? 24 : 1;
  const isInstance = ends.has("instance") || hours > 1;
  const isTotal = ends.has("total");
  const whole = isInstance || ends.has("hour") ? "instance" : "total";
  const per = ends.has("gpu") ? "gpu" : isInstance || isTotal ? whole : ends.has("hour") ? "hour" : undefined;
  const isPrice = start.isMoney || ends.size > 0;
  const field = isPrice ? (per === "instance" || per === "total" ? "priceHourly" : "pricePerGpu") : undefined;
  return { ...start, scale: start.scale / hours, field, isMarked: start.isMarked || isPrice, per, length };
}

// A number with signs and units, and nothing that needs to be said: `80gb`, `<2`, `8x`, `vram>=40`.
const exactPattern =
  /^(?:[a-z]*[<>=]{1,2}\$?[\d.]+(?:gi?b?|t(?:i?b)?|x|gpus?|v?cpus?)?\$?(?:\/h(?:r|our)?)?|\d+(?:gi?b?|[x*]|gpus?)\+?|[x*]\d+)$/;

/** The amount at the start of a text of plain words in lower case; undefined if there is none. */
export function readAmount(text: string): Amount | undefined {
  // "x 8" is "8 x".
  const [times, digits] = /^[x*] ?(\d{1,3})(?= |$)/.exec(text) ?? [];
  const amount = readNumbers(times === undefined ? text : `${digits}x`);
  const length = times?.length ?? amount?.length ?? 0;
  return amount && { ...amount, length, isExact: exactPattern.test(text.slice(0, length).replaceAll(" ", "")) };
}

const priceFields: ReadonlySet<SearchField | undefined> = new Set(["pricePerGpu", "priceHourly"]);

/** `vram>=40`, `price under 2`, `at least 40gb`, `between $1 and $2`, `4-8 gpus`, `2.50 or less`, `80gb`. */
function readNumbers(text: string): ReadNumbers | undefined {
  // "max vram 24gb" is "vram max 24gb", and "more vram than 24gb" is "vram more than 24gb".
  const lead = takeFirst(LIMITS, text)?.match[0] ?? /^(?:more|less|fewer) (?=.+ than )/.exec(text)?.[0] ?? "";
  const name = lead.endsWith(" ") ? takeFirst(FIELDS, text.slice(lead.length)) : undefined;
  if (name !== undefined) {
    return readNumbers(`${name.match[0]} ${lead.trim()}${text.slice(lead.length + name.length)}`);
  }
  const field = takeFirst(FIELDS, text);
  const named = field?.meaning;
  const [space = ""] = field === undefined ? [] : (/^ ?(?:is |of )?/.exec(text.slice(field.length)) ?? []);
  const start = (field?.length ?? 0) + space.length;
  const word = takeFirst(LIMITS, text.slice(start));
  // "=80" leaves open what is meant, and "ram512" is a name.
  if (named === undefined ? word?.meaning === "=" : word === undefined && space === "") {
    return undefined;
  }
  const at = start + (word?.length ?? 0);
  const rest = text.slice(at);
  const isRange = word === undefined || /^(?:between|from) /.test(word.match[0]);
  const amount =
    (isRange ? readRange(rest, named, word?.meaning) : undefined) ?? readSingle(rest, named, word?.meaning);
  // Only what is counted is fewer.
  const length = at + (amount?.length ?? 0);
  const counted = /fewer/.test(text.slice(0, length)) ? "gpuCount" : undefined;
  return amount && { ...amount, length, field: amount.field ?? counted };
}

type ReadNumbers = Omit<Amount, "isExact">;
type LimitWord = SearchOperator | "budget" | "between" | undefined;

/** `1-2`, `24gb to 48gb`, `between 1 and 2`. */
function readRange(text: string, named: SearchField | undefined, word: LimitWord): ReadNumbers | undefined {
  const low = readQuantity(text);
  const joints = word === "between" ? /^ (?:and|to|-) / : /^(?: ?- ?| to )/;
  const [joint] = joints.exec(text.slice(low?.length)) ?? [];
  if (low === undefined || joint === undefined) {
    return undefined;
  }
  const end = low.length + joint.length;
  const high = readQuantity(text.slice(end));
  const isPrice = low.field === undefined || priceFields.has(low.field);
  const isOther = !isPrice && !low.isBare && (high?.field ?? low.field) !== low.field;
  if (high === undefined || low.hasPlus || high.hasPlus || isOther) {
    return undefined;
  }
  // The unit of one number is that of the other: "24-48gb", "$1-2".
  const unit: Quantity = high.field === undefined ? { ...low, number: high.number, isWhole: high.isWhole } : high;
  const limits = [
    { operator: ">=", value: valueOf({ ...low, scale: isPrice ? unit.scale : low.scale }) },
    { operator: "<=", value: valueOf(unit) },
  ] as const;
  const read = { ...unit, isWhole: low.isWhole && unit.isWhole, length: end + high.length };
  // A range of plain numbers may be a part of a name.
  return amountOf(read, named, limits, { isLimited: word !== undefined || low.isMarked || high.isMarked });
}

/** A number with a limit before or behind it, or none. */
function readSingle(text: string, named: SearchField | undefined, word: LimitWord): ReadNumbers | undefined {
  const plain = readQuantity(text);
  // The price of 4090 is that of a card.
  if (plain === undefined || word === "between" || (priceFields.has(named) && plain.number >= 1000 && !plain.isMoney)) {
    return undefined;
  }
  const { length: start, hasPlus } = plain;
  const end = word === undefined && !hasPlus ? takeFirst(LIMIT_ENDS, text.slice(start)) : undefined;
  // The unit may come last: "128gb or more of ram", "2 or more gpus".
  const joined =
    end && named === undefined ? readQuantity(text.slice(0, start) + text.slice(start + end.length)) : plain;
  const read = joined ?? plain;
  const said = word ?? end?.meaning;
  const isBudget = said === "budget";
  const limit = { operator: isBudget ? undefined : said, value: valueOf(read) };
  const length = read.length + (end?.length ?? 0);
  return amountOf({ ...read, length }, named, [limit], { isLimited: said !== undefined, isBudget });
}

/** The amount of a number, if its unit is that of the named field. */
function amountOf(
  read: Quantity,
  named: SearchField | undefined,
  said: readonly { operator: SearchOperator | undefined; value: number }[],
  { isLimited, isBudget = false }: { isLimited: boolean; isBudget?: boolean },
): ReadNumbers | undefined {
  const { field: unit, per, isMarked } = read;
  const isOf =
    named === undefined ||
    unit === named ||
    (priceFields.has(named) && priceFields.has(unit)) ||
    (unit === undefined ? !isMarked || named !== "gpuCount" : read.isBare && named !== "vcpu" && named !== "gpuCount");
  const isBare = read.isBare && named === undefined;
  // A size without a name is a GPU's, unless none has that much: then the disk, or with a limit RAM. VRAM is that of all GPUs.
  const isLarge = (named ?? unit) === "vram" && said.some(({ value }) => value > LARGEST_VRAM_GB);
  const large = isBare ? (isLimited ? "ram" : "disk") : "totalVram";
  const field = isLarge ? large : (named ?? unit);
  const usual = read.hasPlus ? ">=" : usualOperator(isBudget ? "pricePerGpu" : field);
  const limits = said.map(({ operator = usual, value }): Limit => ({
    // A disk is as large as one chooses.
    operator: field === "disk" && said.length === 1 ? ">=" : operator,
    value: field === "disk" || field === "gpuCount" ? Math.ceil(value) : value,
  }));
  const period = named === "priceHourly" ? (per ?? "total") : named === "pricePerGpu" && !isMarked ? "gpu" : per;
  const amount = { ...read, field, limits, isBudget, isLimited: isLimited || named !== undefined, isBare, per: period };
  return isOf ? amount : undefined;
}

/** In whole micro-dollars, as prices are, where a unit multiplies. */
function valueOf({ number, scale }: Quantity): number {
  return scale === 1 ? number : Math.round(number * scale * 1e6) / 1e6;
}

/** Without a limit: a GPU's memory and a count are exact, prices a maximum, and cores, RAM and disks a minimum. */
function usualOperator(field: SearchField | undefined): SearchOperator {
  return field === undefined || field === "vram" || field === "gpuCount" ? "=" : priceFields.has(field) ? "<=" : ">=";
}

/** The largest memory of a GPU, GB. A size above it is not a GPU's. */
const LARGEST_VRAM_GB = Math.max(...gpuModels.map(({ vramGb }) => vramGb));

/** The conditions of limits. */
export const limitTerms = (field: SearchField, limits: readonly Limit[]): SearchTerm[] =>
  limits.map(({ operator, value }) => ({ kind: "compare", field, operator, value }));

const operatorWords: Readonly<Record<SearchOperator, string>> = {
  "=": "",
  "<": "below ",
  "<=": "at most ",
  ">": "above ",
  ">=": "at least ",
};

/** Limits in words: `below $2 per GPU-hour`, `$1 to $2 per GPU-hour`, `48 GB VRAM`. */
export function limitText(field: SearchField, limits: readonly Limit[]): string {
  const [low, high = low] = limits.map(({ value }) => (priceFields.has(field) ? priceText(value) : numberText(value)));
  const [name, plural = name] = UNIT_WORDS[field];
  const sign = limits.length > 1 ? `${low} to ` : operatorWords[limits[0]?.operator ?? "="];
  return `${sign}${high} ${limits.at(-1)?.value === 1 ? name : plural}`;
}

const UNIT_WORDS: Readonly<Record<SearchField, readonly [one: string, several?: string]>> = {
  gpuCount: ["GPU", "GPUs"],
  vram: ["GB VRAM"],
  totalVram: ["GB VRAM in total"],
  ram: ["GB RAM"],
  vcpu: ["vCPU", "vCPUs"],
  disk: ["GB disk"],
  pricePerGpu: ["per GPU-hour"],
  priceHourly: ["per hour for the instance"],
};

/** At most 6 decimals, with thousands separators: `1,000.5`. Intl.NumberFormat takes 10 ms to load its rules. */
function numberText(value: number): string {
  const [whole = "", decimals = ""] = value.toFixed(6).split(".");
  const rest = decimals.replace(/0+$/, "");
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",")}${rest === "" ? "" : `.${rest}`}`;
}

/** Dollars, with 2 decimals if there are any: `$2`, `$2.50`. */
export function priceText(value: number): string {
  return `$${numberText(value).replace(/\.\d$/, "$&0")}`;
}
