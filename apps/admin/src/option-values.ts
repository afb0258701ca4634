import { accountSchema, parseAmount, plainTextSchema, providerNameSchema, reasonOf } from "@gpu-offers/domain";
import { InvalidArgumentError } from "commander";
import * as z from "zod";
import type { RejectionLimit } from "@gpu-offers/store/import-problem";

// Values of options. A parser throws InvalidArgumentError, whose sentence follows the option and its value.

function textParser(isAllowed: (text: string) => boolean, message: string): (text: string) => string {
  return (text) => {
    if (!isAllowed(text)) {
      throw new InvalidArgumentError(message);
    }
    return text;
  };
}

function numberParser(form: RegExp, message: string, isAllowed?: (value: number) => boolean) {
  const parse = textParser((text) => form.test(text) && (isAllowed?.(Number(text)) ?? true), message);
  return (text: string): number => Number(parse(text));
}

/** A free text. Texts are printed in tables, which control characters could forge. */
export const parsePlainText = textParser(
  (text) => plainTextSchema.safeParse(text).success,
  "It must have no control characters, and 200 characters at most.",
);

const parseNonEmpty = textParser((text) => text !== "", "It must not be empty.");

export const parseName = (text: string): string => parseNonEmpty(parsePlainText(text.trim()));

const parseAddress = textParser(
  (text) => accountSchema.shape.email.safeParse(text).success,
  "It must be an email address.",
);

export const parseEmail = (text: string): string => parsePlainText(parseAddress(text));

/** The reference of a ledger entry. */
export const parseReference = textParser(
  (text) => /^[\x21-\x7e]{1,128}$/.test(text),
  "It must have 1 to 128 visible ASCII characters, without spaces.",
);

export const parseCount = numberParser(/^[1-9]\d{0,5}$/, "It must be a whole number from 1 to 999999.");

export const parseDays = numberParser(/^\d{1,5}$/, "It must be a whole number of days, such as 90.");

export const parseFactor = numberParser(
  /^\d{1,4}(?:\.\d{1,3})?$/,
  "It must be greater than 1, such as 4.",
  (factor) => factor > 1,
);

/** USD for one unit of a currency. */
export const parseRate = numberParser(
  /^\d{1,4}(?:\.\d{1,10})?$/,
  "It must be the USD for one unit of the currency, such as 1.16.",
  (rate) => rate > 0 && rate < 1000,
);

/** A code of ISO 4217. */
export const parseCurrency = textParser(
  (text) => Intl.supportedValuesOf("currency").includes(text),
  "It must be an ISO 4217 code, such as EUR.",
);

/** A positive amount of USD in ten-thousandths. */
export function parsePositive(text: string): bigint {
  try {
    const amountE4 = parseAmount(text);
    if (amountE4 > 0n) {
      return amountE4;
    }
  } catch (error) {
    throw new InvalidArgumentError(reasonOf(error));
  }
  throw new InvalidArgumentError("It must be positive: credit add raises the balance, and credit debit lowers it.");
}

export function parseProvider(text: string): string {
  const result = providerNameSchema.safeParse(text);
  if (!result.success) {
    throw new InvalidArgumentError(`A provider's name ${result.error.issues[0]?.message ?? "is invalid"}.`);
  }
  return text;
}

/** A number or a share of rows. */
export function parseRejectionLimit(text: string): RejectionLimit {
  const match = /^(\d{1,9})(%?)$/.exec(text);
  const value = Number(match?.[1]);
  if (match === null || (match[2] === "%" && value > 100)) {
    throw new InvalidArgumentError("It must be a number of rows, such as 10, or a share from 0% to 100%.");
  }
  return match[2] === "%" ? { percent: value } : { count: value };
}

/** Items separated by commas. */
export function parseList(text: string): string[] {
  const items = text.split(",").map((item) => item.trim());
  if (items.includes("")) {
    throw new InvalidArgumentError("The list has an empty item.");
  }
  return items;
}

/** A day that is not in the future. */
export const parsePastDay = textParser(
  (text) => z.iso.date().safeParse(text).success && Date.parse(text) <= Date.now(),
  "Enter a past date such as 2026-11-01.",
);

/** The start of a day, or an exact time in UTC, as ISO 8601 UTC with milliseconds. */
export const parseStart = (text: string): string => parseTime(text, "00:00:00.000");

/** The end of a day, or an exact time. */
export const parseEnd = (text: string): string => parseTime(text, "23:59:59.999");

/** The end of a day, or an exact time, in the future. */
export const parseExpiry = (text: string): string => parseFuture(parseEnd(text));

const parseFuture = textParser((time) => Date.parse(time) > Date.now(), "It must be in the future.");

function parseTime(text: string, timeOfDay: string): string {
  const [, day = "", clock = `T${timeOfDay}Z`] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/.exec(text) ?? [];
  const time = new Date(`${day}${clock}`);
  // Date takes February 31 for March 3.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(day)) {
    throw new InvalidArgumentError("It must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.");
  }
  return time.toISOString();
}
