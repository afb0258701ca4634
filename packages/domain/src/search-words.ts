// Parses search texts to terms. Matching terms with offers is in offer-search.ts.

/** The compared field of a comparison. */
export type SearchField = "gpuCount" | "vram" | "totalVram" | "ram" | "vcpu" | "pricePerGpu" | "priceHourly";

/** The operator of a comparison. */
export type SearchOperator = "=" | "<" | "<=" | ">" | ">=";

/** One condition of a search. */
export type SearchTerm =
  /** Occurs in a name: spaces and hyphens are ignored, numbers only match whole. */
  | { kind: "word"; text: string }
  /** Occurs as written, as whole words; without a closing quote, its last word may be incomplete. */
  | { kind: "phrase"; text: string; isOpen: boolean }
  /** A single whole number: a count, the VRAM of one GPU, or a number in the GPU's name. */
  | { kind: "number"; value: number }
  /** Sizes are GB, prices USD per hour. */
  | {
      kind: "compare";
      field: SearchField;
      operator: SearchOperator;
      value: number;
    }
  | { kind: "nvlink" }
  | { kind: "all"; terms: readonly SearchTerm[] }
  | { kind: "any"; terms: readonly SearchTerm[] }
  | { kind: "not"; term: SearchTerm };

/** A word as typed, and its meaning. */
export interface SearchWord {
  source: string;
  term: SearchTerm;
}

// A word ends at white space outside of quotes.
const wordPattern = /(?:"[^"]*(?:"|$)|[^\s"])+/g;
const alternativePattern = /(?:"[^"]*(?:"|$)|[^|"])+/g;
// "8 x h100", "4090 x 2", "24 gb+", "> 64 gb", "h100 | h200": one word each.
const loneTimes = /(?<=^|\s)(\d{1,3})\s+[x×*](?=\s|$)/gi;
const loneTimesBefore = /(?<=^|\s)[x×*]\s+(\d{1,3})(?=\s|$)/gi;
const loneUnit = /(?<=^|[\s<>=])(\d+(?:[.,]\d+)?)\s+((?:g|gb|gib|tb|tib|gpus?|vcpus?)\+?)(?=\s|$)/gi;
const loneOperator = /([<>≤≥]=?)\s+(?=[$\d.])/g;
const loneField = /(?<=^|\s)(v?ram|totalvram|memory|v?cpu|gpus|count|price|hourly)\s+(?=[<>≤≥=])/gi;
const loneBar = /\|\s+|(?<!\s)\s+\|\s*/g;

/**
 * Splits a search into words that must all match. An empty text has no words, and every text has a meaning.
 *
 * `a|b` is either, `!a` or `-a` is not, `!a|b` is neither, `"a b"` is exactly that. Counts: `8x`, `x8`, `8xh100`, `h100x8`,
 * `h100:8`, `4x+`. VRAM of one GPU: `80gb`, `24g+`. Price of a GPU-hour: `<0.5`, `<0,5`. Memory: `>64gb`. By name: `vram>=40`,
 * `ram>=512`, `vcpu>=32`, `gpus>=4`, `price<2`, `hourly<20`, `totalvram>=640`.
 */
export function parseSearch(text: string): readonly SearchWord[] {
  const words = joinLoneParts(text).match(wordPattern) ?? [];
  return words.flatMap((source) => {
    const term = parseWord(source);
    return term === undefined ? [] : [{ source, term }];
  });
}

/** Joins the parts of each word; quoted parts stay unchanged. */
function joinLoneParts(text: string): string {
  return text
    .split(/("[^"]*(?:"|$))/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(loneTimes, "$1x")
            .replace(loneTimesBefore, "x$1")
            .replace(loneUnit, "$1$2")
            .replace(loneOperator, "$1")
            .replace(loneField, "$1")
            .replace(loneBar, "|"),
    )
    .join("");
}

function parseWord(source: string): SearchTerm | undefined {
  const isNegated = /^[!-]/.test(source);
  const body = isNegated ? source.slice(1) : source;
  const alternatives = (body.match(alternativePattern) ?? []).flatMap((alternative) => {
    const term = parseAlternative(alternative);
    return term === undefined ? [] : [term];
  });
  const [first, ...others] = alternatives;
  if (first === undefined) {
    return undefined;
  }
  const term: SearchTerm = others.length === 0 ? first : { kind: "any", terms: alternatives };
  return isNegated ? { kind: "not", term } : term;
}

function parseAlternative(text: string): SearchTerm | undefined {
  const [marks = ""] = /^[!-]+/.exec(text) ?? [];
  if (marks !== "") {
    const term = parseAlternative(text.slice(marks.length));
    return term === undefined || marks.length % 2 === 0 ? term : { kind: "not", term };
  }
  if (text.startsWith('"')) {
    const phrase = text.replace(/^"([^"]*)"?.*$/s, "$1").trim();
    return phrase === "" ? undefined : { kind: "phrase", text: phrase, isOpen: !text.endsWith('"') || text === '"' };
  }
  // A comma ends a word of a pasted sentence.
  const word = text.replace(/(?<!,),+$/, "");
  return parseCount(word) ?? parseComparison(word) ?? parseName(word);
}

/** Maximum length of a name; longer words match nothing. */
export const MAX_NAME_LENGTH = 100;

/** A count joined to a name. `rtx50` is not a name and a count, but half of a name. */
function parseCount(text: string): SearchTerm | undefined {
  if (text.length > MAX_NAME_LENGTH) {
    return undefined;
  }
  const before = /^(\d{1,3})[x×*]-?(.+)$/iu.exec(text);
  const after = /^(.*\d.*?)[x×*](\d{1,2})$/iu.exec(text) ?? /^(.+):(\d{1,3})$/.exec(text);
  const [count, rest] = before === null ? [after?.[2], after?.[1]] : [before[1], before[2]];
  if (count === undefined || rest === undefined || rest === "+") {
    return undefined;
  }
  const named = parseAlternative(rest);
  const counted = compare("gpuCount", "=", Number(count));
  return named === undefined ? counted : { kind: "all", terms: [counted, named] };
}

/** Names of each field in a search. */
export const FIELD_NAMES: Readonly<Record<SearchField, string>> = {
  gpuCount: "gpus",
  vram: "vram",
  totalVram: "totalvram",
  ram: "ram",
  vcpu: "vcpu",
  pricePerGpu: "price",
  priceHourly: "hourly",
};

const fields = new Map<string, SearchField>([
  // The keys of a literal are the names of its type
  ...Object.entries(FIELD_NAMES).map(([field, name]) => [name, field as SearchField] as const),
  ["memory", "ram"],
  ["cpu", "vcpu"],
  ["count", "gpuCount"],
]);

const units: Readonly<Record<string, { field?: SearchField; factor: number }>> = {
  "": { factor: 1 },
  g: { factor: 1 },
  gb: { factor: 1 },
  gib: { factor: 1 },
  t: { factor: 1000 },
  tb: { factor: 1000 },
  tib: { factor: 1000 },
  x: { field: "gpuCount", factor: 1 },
  "×": { field: "gpuCount", factor: 1 },
  gpu: { field: "gpuCount", factor: 1 },
  gpus: { field: "gpuCount", factor: 1 },
  vcpu: { field: "vcpu", factor: 1 },
  vcpus: { field: "vcpu", factor: 1 },
};

const comparisonPattern =
  /^([a-z]*)(<=|>=|=<|=>|≤|≥|<|>|=)?\$?(\d+(?:\.\d+)?|\.\d+)(gi?b?|ti?b?|x|×|gpus?|vcpus?)?(\+)?\$?(?:\/h(?:r|our)?)?$/iu;

// "<0,5" and "<1,50" are limits with decimals; "1,000" has a thousands separator.
const decimalComma = /(?<=[<>≤≥=]\$?)(0(?=,\d+(?![\d,]))|\d+(?=,\d{1,2}(?![\d,]))),/;
const thousandsComma = /(?<=\d)(?<!\b0),(?=\d{3}(?!\d))/g;

function parseComparison(text: string): SearchTerm | undefined {
  const short = /^[x×*](\d{1,3})$/iu.exec(text);
  if (short !== null) {
    return compare("gpuCount", "=", Number(short[1]));
  }
  const match = comparisonPattern.exec(text.replace(decimalComma, "$1.").replaceAll(thousandsComma, ""));
  if (match === null) {
    return undefined;
  }
  const [, name = "", sign, digits = "", unitName = "", plus] = match;
  const unit = units[unitName.toLowerCase()];
  const named = fields.get(name.toLowerCase());
  if (unit === undefined || (name === "" ? plus !== undefined && unitName === "" : named === undefined || !sign)) {
    return undefined;
  }
  // "$2" and "=80" leave open which side is meant.
  if (name === "" && (sign === "=" || (sign === undefined && text.includes("$")))) {
    return undefined;
  }
  if (name === "" && sign === undefined && unitName === "") {
    return /^\d+$/.test(digits) ? { kind: "number", value: Number(digits) } : undefined;
  }
  const field = named ?? unit.field ?? fieldOfSize(sign, unitName);
  return compare(field, plus === undefined ? operatorOf(sign) : ">=", Number(digits) * unit.factor);
}

/** Without a name: a bare size is a GPU's memory, a size limit is the machine's memory, anything else a price. */
function fieldOfSize(sign: string | undefined, unitName: string): SearchField {
  return unitName === "" ? "pricePerGpu" : sign === undefined ? "vram" : "ram";
}

const operators: Readonly<Record<string, SearchOperator>> = {
  "<": "<",
  "<=": "<=",
  "=<": "<=",
  "≤": "<=",
  ">": ">",
  ">=": ">=",
  "=>": ">=",
  "≥": ">=",
};

function operatorOf(sign: string | undefined): SearchOperator {
  return operators[sign ?? ""] ?? "=";
}

/** A name, with the memory after or within it: `a100-80gb`, `A100-80G-PCIe`. */
function parseName(text: string): SearchTerm | undefined {
  if (/^nv-?link$/i.test(text)) {
    return { kind: "nvlink" };
  }
  // "h100,h200", as written in flags, is either; "Oslo," of a pasted address is a word. A limit is never split, because
  // its comma may belong to its number.
  const items = /[<>≤≥=]/.test(text) ? [text] : text.split(",").filter((item) => item !== "");
  if (items.length > 1) {
    const terms = items.flatMap((item) => parseAlternative(item) ?? []);
    return terms.length === 0 ? undefined : { kind: "any", terms };
  }
  const parts = (items[0] ?? "").split(/[-_]+/).filter((part) => part !== "");
  const size = /^(\d{1,4})g(?:i?b)?$/i;
  const names = parts.filter((part) => !size.test(part));
  const terms: SearchTerm[] = [];
  if (names.length > 0) {
    terms.push({ kind: "word", text: names.join("-") });
  }
  for (const part of parts) {
    const digits = size.exec(part)?.[1];
    if (digits !== undefined) {
      terms.push(compare("vram", "=", Number(digits)));
    }
  }
  const [first, ...others] = terms;
  return others.length === 0 ? first : { kind: "all", terms };
}

function compare(field: SearchField, operator: SearchOperator, value: number): SearchTerm {
  return { kind: "compare", field, operator, value };
}
