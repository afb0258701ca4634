import { providerKey } from "@gpu-offers/domain";
import { cloudCurrencies } from "./providers.facts.js";
import { Rejection } from "./rejection.js";

// Clouds whose own price list isn't in USD. Their files and feeds rarely say so: a price in euros would be shown as one in
// dollars, and be too low.

/** The currency of a cloud's prices in files and feeds that state none: an ISO 4217 code, `USD` unless it is known otherwise. */
export function currencyOf(provider: string): string {
  const known = cloudCurrencies.get(providerKey(provider)) ?? cloudCurrencies.get(providerKey(withoutEnding(provider)));
  return known?.currency ?? "USD";
}

// `seeweb.it`, `ovhcloud-eu`: the ending of a cloud's address, or of its European branch. Those of countries outside the
// euro area may have prices in the country's own currency.
const ENDING = /[.-](?:ai|com|de|es|eu|fi|fr|io|it|net|nl)$/i;

function withoutEnding(provider: string): string {
  return provider.replace(ENDING, "");
}

/** The currency of prices, and the rate to convert them at. */
export interface Money {
  /** ISO 4217. */
  currency: string;
  /** US dollars for one unit; undefined if prices aren't converted. Unused for USD. */
  usdPerUnit?: number | undefined;
  /** What an operator can do if the rate is missing; a sentence. */
  remedy?: string | undefined;
}

/** A price in USD before rounding, or its rejection if there is no rate. */
export function inUsd(amount: number, { currency, usdPerUnit, remedy }: Money): number | Rejection {
  if (currency === "USD") {
    return amount;
  }
  if (usdPerUnit === undefined) {
    const reason = `The price is in ${currency}, and there is no exchange rate.`;
    return new Rejection("unknown_currency", remedy === undefined ? reason : `${reason} ${remedy}`);
  }
  return converted(amount, usdPerUnit);
}

/** An amount in another currency as USD, rounded up to 4 decimals, because an estimate must never be too low. */
export function converted(amount: number, usdPerUnit: number): number {
  // Products of decimals have float noise, which must not round up to another 0.0001.
  return Math.ceil(Math.round(amount * usdPerUnit * 1e10) / 1e6) / 1e4;
}
