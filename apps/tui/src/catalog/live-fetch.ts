import { providerKey } from "@gpu-offers/domain";
import { runSource, RunError, findRejectedRowsTrip } from "@gpu-offers/fetch/source-run";
import { Transport } from "@gpu-offers/fetch/transport";
import {
  catalogOf,
  findGateTrips,
  gatedOffer,
  isKeyless,
  liveSources,
  withdrawCrossProducts,
  type LiveSource,
} from "@gpu-offers/sources";
import { catalogFileOf } from "./catalog-file.js";
import { readFetched, writeFetched } from "./local-catalog.js";
import type { SourceProgress } from "./offer-source.js";
import { inParallel } from "./read-source.js";

// Fetches current prices from the providers whose APIs need no key, in this process. Prices are kept in the cache folder
// for each source's own interval, and a source whose new prices are implausible keeps its earlier ones.

export interface LiveOptions {
  /** The folder of fetched prices; undefined if there is none, so nothing is kept. */
  folder: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  userAgent: string;
  signal?: AbortSignal | undefined;
}

const PARALLEL = 4;

const SOURCE_TIMEOUT_MS = 90_000;

/**
 * Fetches all sources that need no key and are due.
 * @param onProgress Called when a source begins, and when it ends, which may be a failure.
 */
export async function fetchLivePrices(
  options: LiveOptions,
  onProgress: (progress: SourceProgress) => void,
): Promise<void> {
  await inParallel(chosenSources(options.environment), PARALLEL, async (source) => {
    options.signal?.throwIfAborted();
    onProgress({ source: source.name, kind: "fetching" });
    onProgress(await fetchSource(source, options));
  });
}

/** Fetches the prices of a provider, however recent the kept ones are. Without an API that needs no key, that is a failure. */
export async function refetchProvider(provider: string, options: LiveOptions): Promise<SourceProgress> {
  const source = liveSources.find(({ name }) => providerKey(name) === providerKey(provider));
  if (source === undefined || !isKeyless(source)) {
    return { source: provider, kind: "failed", reason: "no API of it can be read without a key" };
  }
  return fetchSource(source, options, 0);
}

/** GPU_OFFERS_SOURCES limits the sources, for tests and for slow networks: `vast,runpod`. */
function chosenSources({ GPU_OFFERS_SOURCES: names = "" }: LiveOptions["environment"]): LiveSource[] {
  const wanted = names.split(",").filter((name) => name !== "");
  return liveSources.filter((source) => isKeyless(source) && (wanted.length === 0 || wanted.includes(source.name)));
}

async function fetchSource(
  source: LiveSource,
  options: LiveOptions,
  keptSeconds = source.intervalSeconds,
): Promise<SourceProgress> {
  const { folder, environment, userAgent, signal } = options;
  const before = await readFetched(folder, source.name);
  if (before !== undefined && Date.now() - before.fetchedAtMs < keptSeconds * 1000) {
    return { source: source.name, kind: "current", offers: before.catalog.offers.length };
  }
  const base = environment["GPU_OFFERS_SOURCES_BASE"];
  const timeout = AbortSignal.timeout(SOURCE_TIMEOUT_MS);
  const failed = (reason: string): SourceProgress => ({ source: source.name, kind: "failed", reason });
  const transport = new Transport({
    hosts: source.hosts,
    maxBytes: source.maxBytes,
    spacingMs: source.spacingMs,
    base,
    allowPrivate: base !== undefined,
    userAgent,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  try {
    const context = { secrets: {}, settings: {}, aliases: new Map(), recorded: false };
    const run = await runSource(source, context, (request, validators) => transport.send(request, validators));
    const offers = run.items.flatMap((item) => (item.kind === "offer" ? [gatedOffer(item.offer)] : []));
    const kind = source.kind === "marketplace" ? "marketplace" : "list";
    const earlier = before?.catalog.offers.map(gatedOffer) ?? [];
    const trips = [
      findRejectedRowsTrip(run),
      ...(earlier.length === 0 ? [] : findGateTrips(earlier, offers, kind, { mayBeEmpty: source.mayBeEmpty })),
    ].filter((trip) => trip !== undefined);
    if (trips.length > 0) {
      return failed(`implausible prices: ${trips[0]?.message ?? ""}`);
    }
    const now = new Date();
    const catalog = catalogFileOf(catalogOf(withdrawCrossProducts(run.items)), now.toISOString());
    // What is wrong with a provider's rows is not for its customers.
    await writeFetched(folder, source.name, { catalog: { ...catalog, rejected: [] }, fetchedAtMs: now.getTime() });
    return { source: source.name, kind: "fetched", offers: offers.length };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof RunError) {
      return failed(timeout.aborted ? "no complete response in time" : error.message);
    }
    throw error;
  } finally {
    await transport.close();
  }
}
