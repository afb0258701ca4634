import { currencyIn } from "./currencies.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";

/** An amount of money in a cell. */
export interface Amount {
  amount: number;
  /** ISO 4217, if the cell states it. */
  currency?: string | undefined;
  /** The time that it is for, if the cell states it. */
  per?: "hour" | "month" | undefined;
}

const UNIT = String.raw`[A-Za-z]{3}|US\$|[$\u20ac\u00a3]`;
const MONEY = new RegExp(
  String.raw`^(${UNIT})? ?([\d.,]+) ?(${UNIT})?(?: ?(?:/|per) ?(?:(h|hr|hour)|mo(?:nth)?))?$`,
  "i",
);
const PLAIN = /^\d{0,9}(?:\.\d{1,20})?$|^\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?$/;
// A comma before two digits can't separate thousands.
const DECIMAL_COMMA = /^(?:\d{1,9}|\d{1,3}(?:\.\d{3})+),\d{1,2}$/;

/**
 * An amount as people write it: `2.50`, `$2.50/h`, `€4.12`, `4,12 EUR`, `2,900 USD/month`, `1.1179999999999999`; or its
 * rejection. With another currency than the dollar, `4,125` may be 4.125 or 4125, so it is rejected.
 */
export function readAmount(text: string, column: string): Amount | Rejection {
  const [all, before, digits = "", after, hour] = MONEY.exec(text) ?? [];
  const unit = before ?? after;
  const currency = unit === undefined ? undefined : currencyIn(unit);
  const isAmbiguous = currency !== undefined && currency !== "USD" && /^\d{1,3},\d{3}$/.test(digits);
  const amount = DECIMAL_COMMA.test(digits)
    ? Number(digits.replaceAll(".", "").replace(",", "."))
    : PLAIN.test(digits)
      ? Number(digits.replaceAll(",", ""))
      : Number.NaN;
  const isRead = !Number.isNaN(amount) && /\d/.test(digits) && (before === undefined || after === undefined);
  if (!isRead || isAmbiguous || (unit !== undefined && currency === undefined)) {
    const reason = `${column} is ${showValue(text)}; it must be an amount, such as 2.50, $2, €4.12 or 900 EUR/month.`;
    return new Rejection("bad_price", reason);
  }
  const per = /(?:\/|per)/i.test(all ?? "") ? (hour === undefined ? "month" : "hour") : undefined;
  return { amount, ...(currency !== undefined && { currency }), ...(per !== undefined && { per }) };
}
