import { InvalidArgumentError } from "commander";
import { providerNameSchema } from "@gpu-offers/domain";
import { findTables, TABLE_NAMES } from "@gpu-offers/sources";
import type { RejectionLimit } from "@gpu-offers/store/import-problem";

// Values of the options of `catalog import`.

/** A code of ISO 4217. @throws InvalidArgumentError */
export function parseCurrency(text: string): string {
  if (!Intl.supportedValuesOf("currency").includes(text)) {
    throw new InvalidArgumentError("It must be an ISO 4217 code, such as EUR.");
  }
  return text;
}

/** USD for one unit of a currency. @throws InvalidArgumentError */
export function parseRate(text: string): number {
  const rate = /^\d{1,4}(?:\.\d{1,10})?$/.test(text) ? Number(text) : 0;
  if (rate <= 0 || rate >= 1000) {
    throw new InvalidArgumentError("It must be the USD for one unit of the currency, such as 1.16.");
  }
  return rate;
}

/** The provider whose region and type tables are used. @throws InvalidArgumentError */
export function parseTables(text: string): string {
  const { name, nearest } = findTables(text);
  if (name === undefined) {
    const hint = nearest === undefined ? `Known: ${[...TABLE_NAMES].join(", ")}.` : `Did you mean ${nearest}?`;
    throw new InvalidArgumentError(`No provider tables have that name. ${hint}`);
  }
  return name;
}

/** A provider's name. @throws InvalidArgumentError */
export function parseProvider(text: string): string {
  const result = providerNameSchema.safeParse(text);
  if (!result.success) {
    throw new InvalidArgumentError(`A provider's name ${result.error.issues[0]?.message ?? "is invalid"}.`);
  }
  return text;
}

/** A day that is not in the future. */
export function parseAsOf(text: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse takes the 31st of every month.
  if (!(ms <= Date.now()) || !new Date(ms).toISOString().startsWith(text)) {
    throw new InvalidArgumentError("Enter a past date such as 2026-11-01.");
  }
  return text;
}

/** A number or a share of rows. @throws InvalidArgumentError */
export function parseLimit(text: string): RejectionLimit {
  const match = /^(\d{1,9})(%?)$/.exec(text);
  const value = Number(match?.[1]);
  if (match === null || (match[2] === "%" && value > 100)) {
    throw new InvalidArgumentError("It must be a number of rows, such as 10, or a share from 0% to 100%.");
  }
  return match[2] === "%" ? { percent: value } : { count: value };
}
