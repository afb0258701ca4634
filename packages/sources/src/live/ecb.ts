import * as z from "zod";
import type { Money, MoneyOf } from "../currencies.js";
import type { LiveContext, LiveItem, LiveReply, LiveRequest, LiveResponse } from "./live-source.js";
import { bodyOf, responsesOf, valueOf } from "./response.js";

// https://data.ecb.europa.eu/help/api: the euro foreign exchange reference rates of the European Central Bank.

export const ECB_HOST = "data-api.ecb.europa.eu";

const PART = "ecb";

/** The exchange rate of a day. */
export interface Rate {
  /** US dollars for one euro. */
  usdPerEur: number;
  /** The day, `2026-08-13`. */
  date: string;
}

const dimensionsSchema = z.array(z.object({ id: z.string(), values: z.array(z.object({ id: z.string() })) }));
const bodySchema = z.object({
  dataSets: z
    .array(
      z.object({
        series: z.record(z.string(), z.object({ observations: z.record(z.string(), z.array(z.unknown())) })),
      }),
    )
    .min(1),
  structure: z.object({
    dimensions: z.object({ series: dimensionsSchema, observation: dimensionsSchema }),
  }),
});

/** The request for the latest rate, whose response the database keeps for imports of files. */
export function ecbRequest(): LiveRequest {
  const url = `https://${ECB_HOST}/service/data/EXR/D.USD.EUR.SP00.A?lastNObservations=1&format=jsondata`;
  return { part: PART, main: false, keep: true, method: "GET", url, headers: { accept: "application/json" } };
}

/**
 * The rate in a response to {@link ecbRequest}.
 * @throws SourceError if it has an unexpected form, or the rate is implausible.
 */
export function readEcbRate(body: Uint8Array): Rate {
  return rateIn({ request: ecbRequest(), status: 200, headers: {}, body });
}

function rateIn(response: LiveResponse): Rate {
  const { dataSets, structure } = bodyOf(response, bodySchema);
  const { series, observation } = structure.dimensions;
  // A series is keyed by the position of its value in each dimension, an observation by the position of its day.
  const currencies = series.find(({ id }) => id === "CURRENCY")?.values ?? [];
  const usd = currencies.findIndex(({ id }) => id === "USD");
  const axis = series.findIndex(({ id }) => id === "CURRENCY");
  const [, found] =
    Object.entries(dataSets[0]?.series ?? {}).find(([key]) => Number(key.split(":")[axis]) === usd) ?? [];
  const days = observation.find(({ id }) => id === "TIME_PERIOD")?.values ?? [];
  const last = Math.max(-1, ...Object.keys(found?.observations ?? {}).map(Number));
  return valueOf({ usdPerEur: found?.observations[last]?.[0], date: days[last]?.id }, rateSchema, PART);
}

// Wide bounds around all rates since 1999: an inverted or scaled rate fails.
const rateSchema = z.object({ usdPerEur: z.number().min(0.5).max(2.5), date: z.iso.date() });

/**
 * How a run converts prices: the rate, if conversion is on and the replies have one, and the terms of each currency, which
 * say whether conversion is off, its rate is missing, or the currency isn't supported.
 * @throws SourceError like {@link readEcbRate}.
 */
export function conversionIn(
  replies: readonly LiveReply[],
  { settings: { convert } }: Pick<LiveContext, "settings">,
): { rate: Rate | undefined; money: MoneyOf } {
  const [response] = convert === "ecb" ? responsesOf(replies, PART) : [];
  const rate = response && rateIn(response);
  return { rate, money: (currency) => moneyOf(currency, rate, convert) };
}

function moneyOf(currency: string, rate: Rate | undefined, convert: LiveContext["settings"]["convert"]): Money {
  if (currency !== "EUR") {
    return { currency, remedy: "Only euros can be converted." };
  }
  return convert === "ecb"
    ? {
        currency,
        usdPerUnit: rate?.usdPerEur,
        remedy: "Conversion is on, but the rate of the European Central Bank is missing.",
      }
    : { currency, remedy: "Turn conversion on: set convert: ecb for this source in SOURCES_FILE." };
}

/** Note for the operator about the conversion. */
export function rateNote({ usdPerEur, date }: Rate): LiveItem {
  return {
    kind: "note",
    where: "rate",
    note: `Prices are converted from EUR at ${usdPerEur} USD, the ECB reference rate of ${date}.`,
  };
}
