import { providerKey } from "@gpu-offers/domain";
import { Rejection } from "./rejection.js";

// Clouds whose own price list isn't in USD. Their files and feeds rarely say so: a price in euros would be shown as one in
// dollars, and be too low.

interface CloudCurrency {
  /** ISO 4217. */
  currency: string;
  /** The cloud's page with its prices. */
  source: string;
}

const CLOUD_CURRENCIES: ReadonlyMap<string, CloudCurrency> = new Map(
  Object.entries({
    cloudferro: { currency: "EUR", source: "https://cloudferro.com/pricing/" },
    e2enetworks: { currency: "INR", source: "https://www.e2enetworks.com/pricing" },
    e2e: { currency: "INR", source: "https://www.e2enetworks.com/pricing" },
    elastx: { currency: "SEK", source: "https://elastx.se/en/pricing" },
    hetzner: { currency: "EUR", source: "https://www.hetzner.com/dedicated-rootserver/matrix-gpu/" },
    infomaniak: { currency: "CHF", source: "https://www.infomaniak.com/en/hosting/public-cloud/prices" },
    ionos: { currency: "EUR", source: "https://cloud.ionos.de/preise" },
    leaf: { currency: "EUR", source: "https://www.leaf.cloud/pricing" },
    opentelekom: { currency: "EUR", source: "https://www.open-telekom-cloud.com/en/prices" },
    otc: { currency: "EUR", source: "https://www.open-telekom-cloud.com/en/prices" },
    // Its American catalog is in USD, and its API says which it is.
    ovh: { currency: "EUR", source: "https://www.ovhcloud.com/en-ie/public-cloud/prices/" },
    sakura: { currency: "JPY", source: "https://cloud.sakura.ad.jp/products/server/gpu/" },
    scaleway: { currency: "EUR", source: "https://www.scaleway.com/en/pricing/gpu/" },
    seeweb: { currency: "EUR", source: "https://www.seeweb.it/en/products/cloud-server-gpu" },
    stackit: { currency: "EUR", source: "https://www.stackit.de/en/pricing" },
    trooper: { currency: "EUR", source: "https://www.trooper.ai/gpu-servers" },
    up: { currency: "EUR", source: "https://upcloud.com/pricing" },
  }),
);

/** The currency of a cloud's prices in files and feeds that state none: an ISO 4217 code, `USD` unless it is known otherwise. */
export function currencyOf(provider: string): string {
  const known =
    CLOUD_CURRENCIES.get(providerKey(provider)) ?? CLOUD_CURRENCIES.get(providerKey(withoutEnding(provider)));
  return known?.currency ?? "USD";
}

// `seeweb.it`, `ovhcloud-eu`: the ending of a cloud's address, or of its European branch. Those of countries outside the
// euro area may have prices in the country's own currency.
const ENDING = /[.-](?:ai|com|de|es|eu|fi|fr|io|it|net|nl)$/i;

function withoutEnding(provider: string): string {
  return provider.replace(ENDING, "");
}

/** Names of the clouds with another currency, each with the page that states it. */
export function listCloudCurrencies(): readonly (readonly [provider: string, CloudCurrency])[] {
  return [...CLOUD_CURRENCIES];
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
