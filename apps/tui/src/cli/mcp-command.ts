import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { AgentCatalogError, createAgentServer, type AgentCatalog } from "@gpu-offers/agent";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { readAllImages, readOffers } from "../catalog/read-source.js";
import { listingCatalogOf, listingOf } from "../catalog/listing-catalog.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { OfferSourceError } from "../catalog/offer-source-error.js";
import { EXIT, Failure } from "../exit-codes.js";
import { VERSION } from "../output/version.js";

const LIST_LIFETIME_MS = 30_000;

/**
 * Serves the MCP tools over standard input and output, until the input ends and all requests have a response.
 * @param notify Reports problems to the person who configured the agent.
 * @throws Failure after a message that is too large.
 */
export async function serveAgents(source: OfferSource, notify: (text: string) => void): Promise<void> {
  const report = (error: unknown): void => notify(error instanceof Error ? error.message : String(error));
  const catalog = catalogOf(source);
  const transport = new McpTransport(notify);
  const handle = serveStdio(() => createAgentServer({ catalog, version: VERSION, onError: report }), {
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
  const listings = brieflyCached(async () => listingCatalogOf(await readOffers(source), await readAllImages(source)));
  return {
    listings: () => orProblem(listings()),
    find: async (query) => (await orProblem(source.find(query))).offers.map(listingOf),
    findOffer: (id) => orProblem(source.findOffer(id)),
    findImages: (provider, instanceType) => orProblem(source.findImages(provider, { instanceType })),
    pricesAsOf: async () => (await source.readAge()).pricesAsOf,
    listGpus: source.listGpus && (() => orProblem(source.listGpus?.())),
    findGpuPrices: source.findGpuPrices && ((name, range) => orProblem(source.findGpuPrices?.(name, range))),
    getBalance: source.hasAccount ? () => orProblem(source.getBalance()) : undefined,
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

async function orProblem<Value>(reading: Value | Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof OfferSourceError ? new AgentCatalogError(error.message) : error;
  }
}

/** The longest wait for open requests after the input has ended, in milliseconds. */
const LAST_RESPONSES_MS = 10_000;

/** Maximum length of a message: 10 MiB, as in the library. */
const MAX_LENGTH = 10 * 2 ** 20;

const PARSE_ERROR = { code: -32700, message: "Parse error" };
const INVALID_REQUEST = { code: -32600, message: "Invalid Request" };

/** The method of requests that get no response. */
const NO_RESPONSE_METHOD = "subscriptions/listen";

/**
 * Messages over standard input and output. The library's transport doesn't respond to lines that aren't messages, and
 * drops open requests when its input ends. Here all get a response, so that a script can pipe its requests in.
 */
class McpTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #open = new Set<unknown>();
  #onIdle = (): void => {};

  /** @param notify Reports lines that aren't messages. */
  constructor(private readonly notify: (text: string) => void) {}

  /**
   * Reads messages until the input ends and all requests have a response.
   * @throws Failure after a message that is too large.
   */
  async read(input: Readable): Promise<void> {
    let rest = "";
    for await (const chunk of input.setEncoding("utf8") as AsyncIterable<string>) {
      const [first = "", ...others] = chunk.split("\n");
      rest += first;
      for (const next of others) {
        this.#take(rest);
        rest = next;
      }
      if (rest.length > MAX_LENGTH) {
        throw new Failure(EXIT.usage, "stopped reading, because a message is too large.");
      }
    }
    this.#take(rest);
    if (this.#open.size > 0) {
      const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
      await Promise.race([idle, wait(LAST_RESPONSES_MS, undefined, { ref: false })]);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    if ("id" in message && !("method" in message)) {
      this.#close(message.id);
    }
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #take(line: string): void {
    if (line.trim() === "") {
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch (error) {
      const isJson = !(error instanceof SyntaxError);
      void this.#write({ jsonrpc: "2.0", id: null, error: isJson ? INVALID_REQUEST : PARSE_ERROR });
      this.notify(isJson ? "rejected a message that is not JSON-RPC 2.0." : "rejected a line that is not JSON.");
      return;
    }
    if (isJSONRPCRequest(message) && message.method !== NO_RESPONSE_METHOD) {
      this.#open.add(message.id);
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      this.#close(message.params?.["requestId"]);
    }
    this.onmessage?.(message);
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }

  #close(id: unknown): void {
    this.#open.delete(id);
    if (this.#open.size === 0) {
      this.#onIdle();
    }
  }
}
