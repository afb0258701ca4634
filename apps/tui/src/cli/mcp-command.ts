import { AgentCatalogError, createAgentServer, type AgentCatalog } from "@gpu-offers/agent";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { readAllImages } from "../catalog/all-images.js";
import { readOffers } from "../catalog/all-offers.js";
import { listingCatalogOf } from "../catalog/listing-catalog.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { failureOf, OfferSourceError } from "../catalog/offer-source-error.js";
import { McpTransport } from "./mcp-transport.js";

/** Milliseconds for which a list is cached. */
const LIST_LIFETIME_MS = 30_000;

/** Options of serving. */
interface McpOptions {
  version: string;
  /** Reports problems to the person who configured the agent. */
  notify: (text: string) => void;
}

/**
 * Serves the MCP tools over standard input and output, until the input ends and all requests have a response.
 * @throws Failure after a message that is too large.
 */
export async function serveAgents(source: OfferSource, { version, notify }: McpOptions): Promise<void> {
  const report = (error: unknown): void => notify(error instanceof Error ? error.message : String(error));
  const catalog = catalogOf(source);
  const transport = new McpTransport(notify);
  const handle = serveStdio(() => createAgentServer({ catalog, version, onError: report }), {
    onerror: report,
    transport,
  });
  await transport.read(process.stdin);
  await handle.close();
}

/**
 * The tools' view of a source. Lists are cached briefly; single offers are always fetched, so that quotes are current.
 */
function catalogOf(source: OfferSource): AgentCatalog {
  const offers = brieflyCached(() => orProblem(readOffers(source)));
  const listings = brieflyCached(async () => listingCatalogOf(await offers(), await readAllImages(source)));
  return {
    listings: () => orProblem(listings()),
    findOffer: (id) => orProblem(source.findOffer(id)),
    findImages: (provider, instanceType) => orProblem(source.findImages(provider, { instanceType })),
    pricesAsOf: async () => (await source.readAge()).pricesAsOf,
    listGpus: () => orProblem(source.listGpus?.() ?? Promise.resolve(undefined)),
    ...(source.findGpuPrices === undefined
      ? {}
      : {
          findGpuPrices: (name, range) => orProblem(source.findGpuPrices?.(name, range) ?? Promise.resolve(undefined)),
        }),
    ...(source.hasAccount ? { getBalance: () => orProblem(source.getBalance()) } : {}),
  };
}

/** A reading that is repeated after a while, or if it failed. */
function brieflyCached<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let readAtMs = 0;
  return () => {
    if (value === undefined || performance.now() - readAtMs > LIST_LIFETIME_MS) {
      readAtMs = performance.now();
      value = read();
      value.catch(() => (value = undefined));
    }
    return value;
  };
}

async function orProblem<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof OfferSourceError ? new AgentCatalogError(failureOf(error.problem).message) : error;
  }
}
