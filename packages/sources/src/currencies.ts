import { providerKey } from "@gpu-offers/domain";
import { cloudCurrencies, collectedCurrencies } from "./providers.facts.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";
import { SourceError } from "./source-error.js";

// Clouds whose own price list isn't in USD. Their files and feeds rarely say so: a price in euros would be shown as one in
// dollars, and be too low.

/**
 * The currency of a cloud's prices that state none: an ISO 4217 code, `USD` unless it is known otherwise.
 * @param collection Set if the cloud's prices were collected by others, who may have another of its price lists.
 */
export function currencyOf(provider: string, collection?: "skypilot"): string {
  const key = [provider, provider.replace(ENDING, "")].map(providerKey).find((name) => cloudCurrencies.has(name)) ?? "";
  return collectedCurrencies.get(`${key} ${collection}`) ?? cloudCurrencies.get(key)?.currency ?? "USD";
}

// `seeweb.it`, `ovhcloud-eu`: the ending of a cloud's address, or of its European branch. Those of countries outside the
// euro area may have prices in the country's own currency.
const ENDING = /[.-](?:ai|com|de|es|eu|fi|fr|io|it|net|nl)$/i;

/** The currency of prices, and the rate to convert them at. */
export interface Money {
  /** ISO 4217. */
  currency: string;
  /** US dollars for one unit; undefined if prices aren't converted. Unused for USD. */
  usdPerUnit?: number | undefined;
  /** What an operator can do if the rate is missing; a sentence. */
  remedy?: string | undefined;
}

/** The terms of each currency that a source may use. */
export type MoneyOf = (currency: string) => Money;

/** How the prices of a file are read. */
export interface PriceOptions {
  /** Currency of the prices, ISO 4217; default: USD, and that of the cloud in SkyPilot's catalogs. */
  currency?: string | undefined;
  /** Terms of other currencies than USD; default: prices in them are rejected. */
  money?: MoneyOf | undefined;
}

/** Terms of a source whose prices are never converted. */
export const dollars: MoneyOf = (currency) => ({ currency });

/** What is known about the money of a file. */
export interface FileMoney {
  /** Currency of prices that state none, ISO 4217. */
  currency?: string | undefined;
  /** Returns the US dollars for one unit of a currency when reading begins; undefined if there is no rate. */
  usdPerUnit?: ((currency: string) => number | undefined) | undefined;
  /** What to do if that rate is missing; a sentence for rejections. */
  rateRemedy?: string | undefined;
}

/**
 * The terms of each currency in a file.
 * @throws SourceError if the currency is no code, or if its rate can't be one.
 */
export function moneyOfFile({ currency: stated = "USD", usdPerUnit, rateRemedy: remedy }: FileMoney): MoneyOf {
  if (!/^[A-Z]{3}$/.test(stated)) {
    throw new SourceError(`${showValue(stated)} is not a currency. Use its ISO 4217 code, such as EUR.`);
  }
  const rate = usdPerUnit?.(stated);
  if (rate !== undefined && !(rate > 0 && rate < 1000)) {
    throw new SourceError(`The exchange rate is ${rate}. It must be the USD for one unit of the currency, above 0.`);
  }
  return (currency) => ({ currency, usdPerUnit: usdPerUnit?.(currency), remedy });
}

const SIGNS: Readonly<Record<string, string>> = { $: "USD", US$: "USD", "\u20ac": "EUR", "\u00a3": "GBP" };
// Other codes of three letters are words: `per`, `GPU`.
const CODE =
  /(?<![A-Za-z])(?:AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|INR|JPY|KRW|NOK|NZD|PLN|SEK|SGD|TRY|USD|ZAR)(?![A-Za-z])/i;

/** The currency that a text states by its sign or its ISO 4217 code: `€`, `Price in EUR`. */
export function currencyIn(text: string): string | undefined {
  const signs = text.match(/US\$|[$\u20ac\u00a3]/i) ?? [];
  return CODE.exec(text)?.[0].toUpperCase() ?? SIGNS[signs[0]?.toUpperCase() ?? ""];
}

/** US dollars for one unit of a currency, or the rejection of its prices if there is no rate. */
export function rateOf({ currency, usdPerUnit, remedy }: Money): number | Rejection {
  const rate = currency === "USD" ? 1 : usdPerUnit;
  if (rate !== undefined) {
    return rate;
  }
  const reason = `The price is in ${currency}, and there is no exchange rate.`;
  return new Rejection("unknown_currency", remedy === undefined ? reason : `${reason} ${remedy}`);
}

/** An amount in another currency as USD, rounded up to 4 decimals, because an estimate must never be too low. */
export function converted(amount: number, usdPerUnit: number): number {
  // Products of decimals have float noise, which must not round up to another 0.0001.
  return Math.ceil(Math.round(amount * usdPerUnit * 1e10) / 1e6) / 1e4;
}
