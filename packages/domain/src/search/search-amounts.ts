import { gpuModels } from "../gpu/gpu-models.js";
import { limitText, rangeWords } from "./search-limit-text.js";
import { foreignPriceLength, readQuantity, takeFirst, type Quantity } from "./search-quantity.js";
import type { SearchField, SearchOperator, SearchTerm } from "./search-term.js";

// Numbers of a search with their limits and units: `under $2`, `48gb vram`, `$1-$2`, `at least 32 cores`, `disk>=1000`.

/** What the start of a text means. */
export interface Amount {
  terms: readonly SearchTerm[];
  /** In words. */
  as: string;
  /** Whether the exact form says the same: `80gb`, `<2`, `8x`. */
  isExact: boolean;
  /** Length of the text. */
  length: number;
  /** What its last unit is. */
  field: SearchField;
}

/** The largest memory of a GPU, GB. A size above it is the machine's. */
const LARGEST_VRAM_GB = Math.max(...gpuModels.map(({ vramGb }) => vramGb));

const signs: Readonly<Record<string, SearchOperator>> = {
  "<": "<",
  "<=": "<=",
  "=<": "<=",
  "=": "=",
  ">": ">",
  ">=": ">=",
  "=>": ">=",
};

/** Words of limits, longest first where one begins another. */
const limitWords: readonly (readonly [RegExp, SearchOperator])[] = [
  [/^(?:under|below|beneath|(?:less|cheaper|lower|fewer|smaller) than) /, "<"],
  [
    /^(?:max(?:imum)?(?: of)?|budget(?: of| is)?|at (?:the )?most|up to|(?:no|not) more than|not over|not above|within) /,
    "<=",
  ],
  [/^(?:over|above|(?:more|bigger|larger|higher|greater) than) /, ">="],
  [/^(?:at least|min(?:imum)?(?: of)?|(?:no|not) (?:less|fewer) than|not under|starting (?:at|from)|from) /, ">="],
];

const limitEnds: readonly (readonly [RegExp, SearchOperator])[] = [
  [/^ (?:or (?:less|under|below|cheaper|fewer|lower)|max(?:imum)?|tops|at most)(?= |$)/, "<="],
  [/^ (?:or (?:more|above|over|higher|better|larger|bigger)|min(?:imum)?|and (?:up|more|above)|at least)(?= |$)/, ">="],
];

/** Words of fields that a search may name before a number. */
const fieldNames: readonly (readonly [RegExp, SearchField])[] = [
  [/^(?:total ?vram|total gpu memory)/, "totalVram"],
  [/^(?:vram|gpu (?:memory|ram))/, "vram"],
  [/^(?:ram|memory)/, "ram"],
  [/^(?:v?cpus?|cores)/, "vcpu"],
  [/^(?:gpus|gpu count|count)/, "gpuCount"],
  [/^(?:disk|storage)/, "disk"],
  [/^price/, "pricePerGpu"],
  [/^(?:hourly|total)(?: price)?/, "priceHourly"],
];

// A number with signs and units, and nothing that needs to be said: `80gb`, `<2`, `8x`, `vram>=40`.
const exactPattern =
  /^[a-z]*(?:[<>=]{1,2}\$?[\d.]+(?:gi?b?|t(?:i?b)?|x|gpus?|v?cpus?)?\$?(?:\/h(?:r|our)?)?|\d+(?:gi?b?|[x*]|gpus?)\+?|[x*]\d+)$/;

/** The amount at the start of a text of plain words in lower case; undefined if there is none. */
export function readAmount(text: string): Amount | undefined {
  const amount =
    readForeignPrice(text) ??
    readTimes(text) ??
    readNamed(text) ??
    readRange(text) ??
    readLimit(text, undefined, 0) ??
    readPlain(text);
  const written = text.slice(0, amount?.length).replaceAll(" ", "");
  return amount === undefined ? undefined : { ...amount, isExact: amount.isExact && exactPattern.test(written) };
}

/** `€2`, `under 2 euro an hour`: without its exchange rate, no price is known to match. */
function readForeignPrice(text: string): Amount | undefined {
  const [sign = ""] = /^[<>=]{1,2} ?/.exec(text) ?? [];
  const start = sign.length + takeFirst(limitWords, text.slice(sign.length))[1];
  const length = foreignPriceLength(text.slice(start));
  return length === undefined
    ? undefined
    : {
        terms: [{ kind: "compare", field: "pricePerGpu", operator: "<", value: 0 }],
        as: "nothing, because prices are in US dollars",
        isExact: false,
        length: start + length,
        field: "pricePerGpu",
      };
}

/** `x8`, `x 8`. */
function readTimes(text: string): Amount | undefined {
  const [times, digits] = /^[x*] ?(\d{1,3})(?= |$)/.exec(text) ?? [];
  return times === undefined
    ? undefined
    : amountOf("=", {
        value: Number(digits),
        field: "gpuCount",
        isBareSize: false,
        hasPlus: false,
        isMarked: true,
        length: times.length,
      });
}

/** `vram>=40`, `ram >= 512`, `price under 2`, `disk 500gb`. */
function readNamed(text: string): Amount | undefined {
  const [field, taken] = takeFirst(fieldNames, text);
  if (field === undefined) {
    return undefined;
  }
  const rest = text.slice(taken);
  const [space = ""] = /^ ?(?:is |of )?/.exec(rest) ?? [];
  const limited = readLimit(rest.slice(space.length), field, taken + space.length);
  if (limited !== undefined || space === "") {
    return limited;
  }
  const quantity = readQuantity(rest.slice(space.length));
  return quantity === undefined || !isOf(field, quantity)
    ? undefined
    : withEnd(text, defaultOperator(field, quantity), {
        ...quantity,
        field,
        isBareSize: false,
        length: taken + space.length + quantity.length,
      });
}

const SIZES: ReadonlySet<SearchField | undefined> = new Set(["vram", "totalVram", "ram", "disk"]);
const PRICES: ReadonlySet<SearchField | undefined> = new Set(["pricePerGpu", "priceHourly"]);

/** Whether a quantity's unit fits a field. */
function isOf(field: SearchField, { field: unit, isBareSize, isMarked }: Quantity): boolean {
  const isSize = SIZES.has(field);
  const isPrice = PRICES.has(field) && PRICES.has(unit);
  return (
    unit === field || isPrice || (unit === undefined && !(isMarked && field === "gpuCount")) || (isSize && isBareSize)
  );
}

/** `<2`, `>=4x`, `under $2`, `at least 40gb`. */
function readLimit(text: string, named: SearchField | undefined, before: number): Amount | undefined {
  const [, sign = "", space = ""] = /^([<>=]{1,2})( ?)/.exec(text) ?? [];
  const [word, taken] = takeFirst(limitWords, text);
  const operator = sign === "" ? word : signs[sign];
  const start = sign === "" ? taken : sign.length + space.length;
  // "=80" leaves open what is meant.
  if (operator === undefined || (operator === "=" && named === undefined)) {
    return undefined;
  }
  const quantity = readQuantity(text.slice(start));
  if (quantity === undefined || (named !== undefined && !isOf(named, quantity))) {
    return undefined;
  }
  const field = named ?? quantity.field;
  const read = { ...quantity, field: field ?? "pricePerGpu", length: before + start + quantity.length };
  return amountOf(operator, named === undefined ? read : { ...read, isBareSize: false });
}

/** `$1-$2`, `0.5-1`, `between $1 and $2`, `24 to 48gb`, `4-8 gpus`. */
function readRange(text: string): Amount | undefined {
  const [prefix = ""] = /^(?:between|from) /.exec(text) ?? [];
  const low = readQuantity(text.slice(prefix.length));
  if (low === undefined || low.hasPlus) {
    return undefined;
  }
  const start = prefix.length + low.length;
  const [joint] = (prefix === "between " ? /^ (?:and|to|-) / : /^(?: ?- ?| to )/).exec(text.slice(start)) ?? [];
  const high = joint === undefined ? undefined : readQuantity(text.slice(start + joint.length));
  if (joint === undefined || high === undefined || high.hasPlus) {
    return undefined;
  }
  // A range of plain numbers is text: it may be a part of a name.
  const isMarked = prefix !== "" || low.isMarked || high.isMarked;
  const field = high.field ?? low.field ?? "pricePerGpu";
  if (
    !isMarked ||
    (low.field !== undefined && high.field !== undefined && low.field !== high.field && !low.isBareSize)
  ) {
    return undefined;
  }
  const unit = { ...high, field, isBareSize: high.field === undefined ? low.isBareSize : high.isBareSize };
  // "0.5-1tb" and "1-2 dollars": the unit of the second number is that of the first.
  const factor =
    low.field === undefined && high.field === field && /\bt(?:i?b)?\b|\dt/.test(text.slice(start)) ? 1000 : 1;
  const most = amountOf("<=", { ...unit, length: start + joint.length + high.length });
  const least = amountOf(">=", { ...unit, field: most.field, isBareSize: false, value: low.value * factor });
  return {
    terms: [...least.terms, ...most.terms],
    as: rangeWords(most.field, low.value * factor, high.value),
    isExact: false,
    length: most.length,
    field: most.field,
  };
}

/** `80gb`, `512gb ram`, `8 gpus`, `$2`, `24g+`, `40gb or more`. */
function readPlain(text: string): Amount | undefined {
  const quantity = readQuantity(text);
  if (quantity?.field === undefined) {
    // "2.50 or less" has no unit.
    const [end] = quantity?.hasPlus === false ? takeFirst(limitEnds, text.slice(quantity.length)) : [];
    return quantity === undefined || end === undefined
      ? undefined
      : withEnd(text, end, { ...quantity, field: "pricePerGpu" });
  }
  const field = fieldOfSize(quantity.field, quantity);
  return withEnd(text, defaultOperator(field, quantity), { ...quantity, field: quantity.field });
}

type UnitQuantity = Quantity & { field: SearchField };

/** The amount with the words of a limit behind it, if there are any: `or less`, `max`. */
function withEnd(text: string, operator: SearchOperator, quantity: UnitQuantity): Amount {
  const rest = text.slice(quantity.length);
  const [end, taken] = quantity.hasPlus ? [undefined, 0] : takeFirst(limitEnds, rest);
  if (end === undefined) {
    return amountOf(operator, quantity);
  }
  return { ...amountOf(end, { ...quantity, length: quantity.length + taken }), isExact: false };
}

/** Without a limit: a GPU's memory and a count are exact, prices a maximum, and cores and RAM a minimum. */
function defaultOperator(field: SearchField, { hasPlus }: Quantity): SearchOperator {
  if (hasPlus) {
    return ">=";
  }
  if (field === "vram" || field === "gpuCount") {
    return "=";
  }
  return field === "pricePerGpu" || field === "priceHourly" ? "<=" : ">=";
}

/** A size without a name is the GPU's, unless no GPU has that much: then RAM, and VRAM is that of all GPUs. */
function fieldOfSize(field: SearchField, { isBareSize, value }: Quantity): SearchField {
  if (value <= LARGEST_VRAM_GB) {
    return field;
  }
  return isBareSize ? "ram" : field === "vram" ? "totalVram" : field;
}

function amountOf(operator: SearchOperator, quantity: UnitQuantity): Amount {
  const field = fieldOfSize(quantity.field, quantity);
  // A disk is as large as one chooses.
  const sign = field === "disk" ? ">=" : operator;
  const value = field === "disk" || field === "gpuCount" ? Math.ceil(quantity.value) : quantity.value;
  return {
    terms: [{ kind: "compare", field, operator: sign, value }],
    as: limitText(field, sign, value),
    isExact: field === quantity.field,
    length: quantity.length,
    field,
  };
}
