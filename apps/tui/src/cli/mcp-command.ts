import { AgentCatalogError, createAgentServer, type AgentCatalog } from "@gpu-offers/agent";
import { plainOffer } from "@gpu-offers/domain";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { readAllImages } from "../catalog/all-images.js";
import { readOffers } from "../catalog/all-offers.js";
import { listingCatalogOf } from "../catalog/listing-catalog.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { failureOf, OfferSourceError } from "../catalog/offer-source-error.js";
import { EXIT, Failure } from "../output/exit-codes.js";
import { McpInput, McpTransport } from "./mcp-input.js";

/** Milliseconds for which a list is cached. */
const LIST_LIFETIME_MS = 30_000;

/** The response to a message that cannot be read. The library doesn't respond to these. */
const errorLine = (code: number, message: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`;

/** Options of serving. */
interface McpOptions {
  version: string;
  /** Reports problems to the person who configured the agent. */
  notify: (text: string) => void;
}

/**
 * Serves the MCP tools over standard input and output, until the input ends and all requests have a response.
 * @throws Failure after a message of more than 10 MiB, the limit of the library.
 */
export function serveAgents(source: OfferSource, { version, notify }: McpOptions): Promise<void> {
  const report = (error: unknown): void => notify(error instanceof Error ? error.message : String(error));
  const catalog = catalogOf(source);
  const onerror = (error: Error): void => {
    if (error.name === "ZodError") {
      process.stdout.write(errorLine(-32600, "Invalid Request"));
      notify("rejected a message that is not JSON-RPC 2.0.");
    } else {
      report(error);
    }
  };
  const input = new McpInput(process.stdin, () => {
    process.stdout.write(errorLine(-32700, "Parse error"));
    notify("rejected a line that is not JSON.");
  });
  const transport = new McpTransport(input);
  const handle = serveStdio(() => createAgentServer({ catalog, version, onError: report }), { onerror, transport });
  return new Promise((resolve, reject) => {
    input.once("close", () => void handle.close().then(resolve));
    // The library stops reading after an oversized message.
    input.once("pause", () => {
      if (!input.readableEnded) {
        reject(new Failure(EXIT.usage, "stopped reading, because a message is too large."));
      }
    });
  });
}

/**
 * The tools' view of a source. Lists are cached briefly; single offers are always fetched, so that quotes are current.
 */
function catalogOf(source: OfferSource): AgentCatalog {
  const offers = brieflyCached(() => orProblem(readOffers(source)));
  const listings = brieflyCached(async () => listingCatalogOf(await offers(), await readAllImages(source)));
  return {
    listOffers: async () => (await offers()).map(plainOffer),
    listings: () => orProblem(listings()),
    findFacts: async (id) => (await orProblem(source.findOffer(id)))?.listing,
    findOffer: async (id) => {
      const offer = await orProblem(source.findOffer(id));
      return offer && plainOffer(offer);
    },
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
