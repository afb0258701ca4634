import { HOURS_OF_30_DAYS } from "../money/money.js";
import { COUNTS } from "./search-phrases.js";
import type { SearchField } from "./search-term.js";

// Numbers of a search with their units: `48gb vram`, `$2 per hour`, `32 cores`, `half a dollar`.

/** A number with a unit. */
export interface Quantity {
  value: number;
  /** Undefined without a unit. */
  field: SearchField | undefined;
  /** A size without a name: the GPU's memory, unless no GPU has that much. */
  isBareSize: boolean;
  hasPlus: boolean;
  /** More than digits: a point, a currency or a unit. */
  isMarked: boolean;
  length: number;
}

const NUMBER = String.raw`(\d{1,12}(?:\.\d{1,20})?|\.\d{1,20})`;
const quantityPattern = new RegExp(
  String.raw`^(?:us)?(\$ ?)?${NUMBER}(\+)?(?: ?(?:(gi?b?|t(?:i?b)?)|([x*]|gpus?|cards?)|(v?cpus?|cores?|threads?)|(\$|usd|dollars?|bucks?)|(cents?|ct|¢)))?(\+)?(?=$|[ /-])`,
);

const sizeNames: readonly (readonly [RegExp, SearchField])[] = [
  [/^ ?(?:of )?(?:total (?:vram|gpu memory)|(?:vram |gpu memory )?(?:in )?total|combined)(?= |$)/, "totalVram"],
  [/^ ?(?:of )?(?:vram|(?:gpu|video) (?:memory|ram|mem)|(?:per|each|\/) ?gpu|each)(?= |$)/, "vram"],
  [/^ ?(?:of )?(?:(?:system|main|cpu|host) )?(?:ram|memory|mem)(?= |$)/, "ram"],
  [/^ ?(?:of )?(?:(?:ssd|nvme|disk) )?(?:disk|storage|ssd|nvme|hdd)(?: space)?(?= |$)/, "disk"],
];

/** What may follow a price: how long it is for, and what. */
const priceTails: readonly (readonly [RegExp, "gpu" | "instance" | "month" | "day" | "hour"])[] = [
  [/^ ?(?:\/ ?|per |an? )?(?:gpu[- /]?(?:per )?)?(?:hours?|hrs?|h)(?=$|[ /])/, "hour"],
  [/^ ?(?:\/ ?|per |an? |each )(?:gpu|card)s?(?=$|[ /])/, "gpu"],
  [/^ (?:in )?total(?= |$)|^ (?:altogether|all in|hourly)(?= |$)/, "instance"],
  [/^ ?(?:\/ ?|per |an? |for the (?:whole )?|for )(?:instance|machine|server|node|box|vm)(?=$|[ /])/, "instance"],
  [/^ ?(?:\/ ?|per |a )(?:month|mo)(?=$|[ /])|^ monthly(?= |$)/, "month"],
  [/^ ?(?:\/ ?|per |a )day(?=$|[ /])|^ daily(?= |$)/, "day"],
];

/** Amounts of money in words: `a dollar`, `half a dollar`, `ten cents`. */
const moneyWords: Readonly<Record<string, number>> = { "half a": 0.5, a: 1, twenty: 20, fifty: 50, ...COUNTS };
const moneyPattern = new RegExp(
  String.raw`^(${Object.keys(moneyWords).join("|")}) (?=(?:dollars?|bucks?|cents?)(?=$|[ /-]))`,
);

/** The quantity at the start of a text; undefined if there is none. */
export function readQuantity(text: string): Quantity | undefined {
  const [spelled = "", money = ""] = moneyPattern.exec(text) ?? [];
  if (spelled !== "") {
    const digits = `${moneyWords[money]} `;
    const read = readQuantity(digits + text.slice(spelled.length));
    return read === undefined ? undefined : { ...read, length: read.length - digits.length + spelled.length };
  }
  const match = quantityPattern.exec(text);
  if (match === null) {
    return undefined;
  }
  const [{ length }, sign, digits = "", first, size, count, cpu, currency, cents, last] = match;
  const number = Number(digits);
  const hasPlus = first !== undefined || last !== undefined;
  const isMarked = length > digits.length || digits.includes(".");
  // Smaller numbers have no plain notation.
  if (number !== 0 && number < 1e-6) {
    return undefined;
  }
  if (size !== undefined) {
    if (sign !== undefined) {
      return undefined;
    }
    const value = size.startsWith("t") ? number * 1000 : number;
    const [named, taken] = takeFirst(sizeNames, text.slice(length));
    return {
      value,
      field: named ?? "vram",
      isBareSize: named === undefined,
      hasPlus,
      isMarked,
      length: length + taken,
    };
  }
  if (count !== undefined || cpu !== undefined) {
    const isCount = count !== undefined;
    return sign !== undefined || (isCount && digits.length > 3)
      ? undefined
      : { value: number, field: isCount ? "gpuCount" : "vcpu", isBareSize: false, hasPlus, isMarked, length };
  }
  const hasCurrency = sign !== undefined || currency !== undefined || cents !== undefined;
  return readPrice(text, {
    number: cents === undefined ? number : number / 100,
    hasCurrency,
    hasPlus,
    isMarked,
    length,
  });
}

const CURRENCY = String.raw`(?:[€£¥₹]|(?:eur|euros?|gbp|pounds?|chf|francs?|inr|rupees?|jpy|yen|cny|rmb|yuan)(?=$|[ /\d-]))`;
const foreignPrice = new RegExp(String.raw`^(?:${CURRENCY} ?${NUMBER}|${NUMBER} ?${CURRENCY})(?=$|[ /-])`);

/** The length of a price in another currency than ours at the start of a text; undefined if there is none. */
export function foreignPriceLength(text: string): number | undefined {
  const [price] = foreignPrice.exec(text) ?? [];
  if (price === undefined) {
    return undefined;
  }
  let { length } = price;
  for (let taken = -1; taken !== 0; length += taken) {
    [, taken] = takeFirst(priceTails, text.slice(length));
  }
  return length;
}

function readPrice(
  text: string,
  start: { number: number; hasCurrency: boolean; hasPlus: boolean; isMarked: boolean; length: number },
): Quantity {
  let { length } = start;
  const tails = new Set<string>();
  for (let more = true; more;) {
    const rest = text.slice(length);
    const [tail, taken] = takeFirst(priceTails, rest);
    // "2 hours" without a currency is a time.
    more =
      tail !== undefined &&
      (start.hasCurrency || tails.size > 0 || tail !== "hour" || /^ ?(?:\/|per|an? )|^h/.test(rest));
    if (more && tail !== undefined) {
      tails.add(tail);
      length += taken;
    }
  }
  const hours = tails.has("month") ? HOURS_OF_30_DAYS : tails.has("day") ? 24 : 1;
  const isInstance = (tails.has("instance") || hours > 1) && !tails.has("gpu");
  const field = isInstance ? "priceHourly" : "pricePerGpu";
  const hasUnit = start.hasCurrency || tails.size > 0;
  return {
    // Whole micro-dollars, as prices are.
    value: hours === 1 && !start.hasCurrency ? start.number : Math.round((start.number / hours) * 1e6) / 1e6,
    field: hasUnit ? field : undefined,
    isBareSize: false,
    hasPlus: start.hasPlus,
    isMarked: start.isMarked || hasUnit,
    length,
  };
}

/** The value of the first pattern that a text begins with, and the length of the match. */
export function takeFirst<Value>(
  patterns: readonly (readonly [RegExp, Value])[],
  text: string,
): readonly [value: Value | undefined, length: number] {
  for (const [pattern, value] of patterns) {
    const match = pattern.exec(text);
    if (match !== null) {
      return [value, match[0].length];
    }
  }
  return [undefined, 0];
}
