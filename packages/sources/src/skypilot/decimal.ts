import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";

const DECIMAL = /^\d{1,15}(?:\.\d{1,20})?$/;

/** Parses a plain non-negative decimal number, such as `8`, `8.0` or `0.25`. Signs, exponents, NaN and Infinity are invalid. */
export function parseDecimal(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

/** The number of a column rounded down, because a machine has at least that much; empty means 0, which is unknown. */
export function wholeNumber(column: string, text: string): number | Rejection {
  const number = text === "" ? 0 : parseDecimal(text);
  return number === undefined
    ? new Rejection("bad_number", `${column} is ${showValue(text)}, which is not a non-negative decimal number.`)
    : Math.floor(number);
}
