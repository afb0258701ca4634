import * as z from "zod";
import type { LiveContext, LiveItem, LiveReply, LiveRequest } from "./live-source.js";
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

const valuesSchema = z.array(z.object({ id: z.string() }));
const bodySchema = z.object({
  dataSets: z
    .array(
      z.object({
        series: z.record(z.string(), z.object({ observations: z.record(z.string(), z.array(z.unknown())) })),
      }),
    )
    .min(1),
  structure: z.object({
    dimensions: z.object({
      series: z.array(z.object({ id: z.string(), values: valuesSchema })),
      observation: z.array(z.object({ id: z.string(), values: valuesSchema })),
    }),
  }),
});

/** The request for the latest rate, if the operator enabled conversion. */
export function* rateRequest({ settings }: LiveContext): Generator<LiveRequest, void, LiveReply> {
  if (settings.convert !== "ecb") {
    return;
  }
  const url = `https://${ECB_HOST}/service/data/EXR/D.USD.EUR.SP00.A?lastNObservations=1&format=jsondata`;
  yield { part: PART, main: false, method: "GET", url, headers: { accept: "application/json" } };
}

/**
 * The rate in the replies; undefined if conversion is off.
 * @throws SourceError if the response has an unexpected form, or the rate is implausible.
 */
export function rateIn(replies: readonly LiveReply[], { settings }: LiveContext): Rate | undefined {
  const [response] = responsesOf(replies, PART);
  if (settings.convert !== "ecb" || response === undefined) {
    return undefined;
  }
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

/** Converts a price in euros to USD, rounded up to 4 decimals, because an estimate must never be too low. */
export function toUsd(eur: number, { usdPerEur }: Rate): number {
  // Products of decimals have float noise, which must not round up to another 0.0001.
  return Math.ceil(Math.round(eur * usdPerEur * 1e10) / 1e6) / 1e4;
}

/** Note for the operator about the conversion. */
export function rateNote({ usdPerEur, date }: Rate): LiveItem {
  return {
    kind: "note",
    note: `Prices are converted from EUR at ${usdPerEur} USD, the ECB reference rate of ${date}.`,
  };
}
