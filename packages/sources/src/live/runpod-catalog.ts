import { Rejection } from "../rejection.js";
import type { LiveOffers, LivePlace } from "./live-offers.js";
import type { LiveItem, LiveReply, LiveRequest } from "./live-source.js";
import { bodyOf, responsesOf, rowsOf } from "./response.js";
import {
  CLOUDS,
  COUNTS,
  countsOf,
  IN_STOCK,
  restTypeSchema,
  rowOf,
  typesBody,
  type Cloud,
  type RestType,
} from "./runpod-type.js";

// RunPod's REST API (version 2), which needs a key: types, prices and stock by data center, one response per cloud and number
// of GPUs.

const CATALOG = "https://api.runpod.io/v2/catalog/gpus";

/** The requests for the catalog: one for each cloud and number of GPUs. */
export function* catalogRequests(key: string): Generator<LiveRequest, void, LiveReply> {
  for (const cloud of CLOUDS) {
    for (const count of COUNTS) {
      // `count` and `cloud` are only allowed together with `product`.
      const query = new URLSearchParams({
        include: "AVAILABILITY",
        product: "POD",
        count: String(count),
        cloud: cloud.toUpperCase(),
      });
      const headers = { authorization: `Bearer ${key}` };
      yield { part: "catalog", main: true, method: "GET", url: `${CATALOG}?${query.toString()}`, headers };
    }
  }
}

/**
 * The offers of the catalog.
 * @param scopes Places to list, such as `secure US-KS-2`; default: all.
 */
export function* catalogItems(
  offers: LiveOffers,
  replies: readonly LiveReply[],
  scopes: readonly string[] | undefined,
): Generator<LiveItem> {
  yield offers.providerItem();
  for (const response of responsesOf(replies, "catalog")) {
    const query = new URL(response.request.url).searchParams;
    const cloud: Cloud = query.get("cloud") === "SECURE" ? "secure" : "community";
    const count = Number(query.get("count"));
    for (const { where, row } of rowsOf(bodyOf(response, typesBody).data.gpuTypes, restTypeSchema, "gpus")) {
      const at = `${cloud} ${count}x ${where}`;
      if (row instanceof Rejection) {
        yield offers.item(at, row);
      } else if (!row[`${cloud}Cloud`] || !countsOf(row, cloud).includes(count)) {
        yield { kind: "skipped", where: at };
      } else {
        const places = placesOf(row).filter(({ region }) => scopes?.includes(`${cloud} ${region}`) ?? true);
        for (const place of places) {
          yield offers.item(at, { ...rowOf(row, cloud, count), ...place });
        }
        if (places.length === 0) {
          yield { kind: "skipped", where: at };
        }
      }
    }
  }
}

/** The data centers that have a type in stock; without any, its stock in all of a cloud. */
function placesOf({ availability: level, dataCenters }: RestType): LivePlace[] {
  const inStock = dataCenters.filter((place) => IN_STOCK.test(place.availability ?? ""));
  if (inStock.length > 0) {
    return inStock.map(({ id: region, availability }) => ({ region, isAvailable: true, stockLevel: availability }));
  }
  const isSomewhere = dataCenters.length === 0 && IN_STOCK.test(level ?? "");
  const isUnknown = dataCenters.length === 0 && level == null;
  return [
    {
      region: null,
      isAvailable: isSomewhere,
      ...(isUnknown && { availability: "unknown" as const }),
      stockLevel: level,
    },
  ];
}
