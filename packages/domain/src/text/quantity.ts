import { isPrice, PRICE_DECIMALS } from "../money/money.js";
import { MAX_PARAMETER_INTEGER } from "../page-size.js";
import { plainNumbers, UNITS } from "./plain-numbers.js";

// Quantities as people write them: `1TB`, `$2`, `3.35TB/s`, `3d`. One reader for URLs, flags and forms.

/** What a text was read as, or a clause that says what it must be. */
export type ReadQuantity =
  | {
      ok: true;
      /** The number in the base unit. */
      value: number;
    }
  | {
      ok: false;
      /** What it must be: a clause. */
      reason: string;
    };

const NUMBER = String.raw`(\d{1,9}(?:\.\d{1,6})?|\.\d{1,6})`;

interface Rule {
  pattern: RegExp;
  /** Factor of each unit in lower case. Its empty text is the unit of a bare number. */
  units: Readonly<Record<string, number>>;
  minimum: number;
  /** Whether fractions of the base unit are rounded up to whole ones. */
  isWhole: boolean;
  reason: string;
}

const wholeFrom = (minimum: number): Rule => ({
  pattern: /^(\d{1,9})()$/,
  units: { "": 1 },
  minimum,
  isWhole: true,
  reason: `must be a whole number from ${minimum} to ${MAX_PARAMETER_INTEGER}`,
});

const RULES = {
  count: wholeFrom(1),
  /** Such as a page. */
  index: wholeFrom(0),
  /** Whole GB, rounded up. */
  gb: {
    pattern: new RegExp(`^${NUMBER} ?(|g|gb|gib|t|tb|tib)$`, "i"),
    units: UNITS.gb,
    minimum: 0,
    isWhole: true,
    reason: "must be a size in GB, such as 80, 80GB or 1TB",
  },
  /** GB per second. */
  bandwidth: {
    pattern: new RegExp(`^${NUMBER} ?(|gb/s|tb/s)$`, "i"),
    units: { "": 1, "gb/s": 1, "tb/s": 1_000 },
    minimum: 0,
    isWhole: false,
    reason: "must be a bandwidth in GB/s, such as 3350, 3350GB/s or 3.35TB/s",
  },
  /** USD. */
  usd: {
    pattern: new RegExp(String.raw`^(?:\$ ?)?${NUMBER}(|\$| ?usd)(?:/h(?:r|our)?)?$`, "i"),
    units: { "": 1, $: 1, usd: 1 },
    minimum: 0,
    isWhole: false,
    reason: `must be an amount in USD, such as 2.50 or $2, with at most ${PRICE_DECIMALS} decimals`,
  },
  /** Whole hours, rounded up. */
  hours: {
    pattern: new RegExp(`^${NUMBER} ?(|h|d|w)$`, "i"),
    units: UNITS.hours,
    minimum: 1,
    isWhole: true,
    reason: "must be a number of hours, such as 24, 24h or 3d",
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** What a number counts. */
export type QuantityKind = keyof typeof RULES;

/** Whether a kind of values is one of quantities. */
export function isQuantity(kind: string): kind is QuantityKind {
  return Object.hasOwn(RULES, kind);
}

/**
 * Reads a quantity in its base unit: GB, GB per second, USD, hours. Decimal units: 1TB is 1,000 GB. Outer spaces and
 * commas between thousands are ignored, and `1,5` is 1.5; leading zeros, signs and exponents are rejected.
 */
export function readQuantity(kind: QuantityKind, text: string): ReadQuantity {
  const rule: Rule = RULES[kind];
  const [, digits, unit = ""] = rule.pattern.exec(plainNumbers(text.trim())) ?? [];
  const factor = rule.units[unit.trim().toLowerCase()];
  if (digits === undefined || factor === undefined || /^0\d/.test(digits)) {
    return { ok: false, reason: rule.reason };
  }
  // The product of a decimal and a factor has float noise.
  const exact = Number((Number(digits) * factor).toFixed(PRICE_DECIMALS));
  return checkQuantity(kind, rule.isWhole ? Math.ceil(exact) : exact);
}

/** Checks a number in the base unit of its kind, as agents pass it. */
export function checkQuantity(kind: QuantityKind, value: number): ReadQuantity {
  const { minimum, isWhole, reason }: Rule = RULES[kind];
  const isValid =
    value >= minimum &&
    value <= MAX_PARAMETER_INTEGER &&
    (isWhole ? Number.isInteger(value) : kind !== "usd" || isPrice(value));
  return isValid ? { ok: true, value } : { ok: false, reason };
}
