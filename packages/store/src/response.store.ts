import { gunzipSync, gzipSync } from "node:zlib";
import { readEcbRate, type KeptResponse, type Rate } from "@gpu-offers/sources";
import * as z from "zod";
import { insertAll, type Database } from "./database.js";

// Responses of providers that are kept to revalidate them, and the exchange rate among them.

/**
 * The latest exchange rate that a live source has fetched, for imports, which never use the network; undefined if no source
 * converts prices.
 * @param request Key of the request for the rate.
 */
export async function findStoredRate(database: Database, request: string): Promise<Rate | undefined> {
  const rows = await database.selectFrom("live_response").select("body").where("request", "=", request).execute();
  const rates = rows.map(({ body }) => readEcbRate(gunzipSync(body)));
  return rates.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0];
}

/** The cached responses of a source, by request hash. */
export async function readKeptResponses(database: Database, source: string): Promise<Map<string, KeptResponse>> {
  const rows = await database.selectFrom("live_response").selectAll().where("source", "=", source).execute();
  const headSchema = z.object({ status: z.int(), headers: z.record(z.string(), z.string()) });
  return new Map(
    rows.map(({ request, etag, last_modified: lastModified, head, body }) => [
      request,
      { request, etag, lastModified, ...headSchema.parse(JSON.parse(head)), body: gunzipSync(body) },
    ]),
  );
}

/** Replaces the cached responses of a source. */
export async function saveKeptResponses(
  database: Database,
  source: string,
  responses: readonly KeptResponse[],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("live_response").where("source", "=", source).execute();
    const rows = responses.map(({ lastModified, status, headers, body, ...response }) => ({
      ...response,
      source,
      last_modified: lastModified,
      head: JSON.stringify({ status, headers }),
      body: gzipSync(body),
    }));
    await insertAll(transaction, "live_response", rows);
  });
}
