import { createMcpHandler } from "@modelcontextprotocol/server";
import { createAgentServer, type AgentCatalog } from "../src/index.ts";
import {
  ListingCatalog,
  present,
  UNKNOWN_LISTING_FACTS,
  type Balance,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";

// An agent's side of the tools: protocol requests as a program would send them over HTTP.

/** The result of a tool call. */
export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** A session with the tools over some offers. */
export type Agent = ReturnType<typeof agentOf>;

/** A catalog of fixed offers. */
export function catalogOf(
  offers: readonly Offer[],
  more: { images?: readonly OsImage[]; balance?: Balance; pricesAsOf?: Record<string, string> } = {},
): AgentCatalog {
  const { images = [], balance, pricesAsOf = {} } = more;
  const listings = ListingCatalog.of(
    offers.map((offer) => ({ offer, ...UNKNOWN_LISTING_FACTS })),
    new Map(offers.map(({ provider }) => [provider.name, images])),
  );
  return {
    listings: async () => listings,
    find: async ({ size, ...query }) => {
      const { selection } = listings.prepare(query);
      const { positions } = listings.select(selection, { page: 0, size: size ?? offers.length });
      return Array.from(positions, (at) => ({ ...UNKNOWN_LISTING_FACTS, offer: present(offers[at]) }));
    },
    findOffer: async (id) => offers.find((offer) => offer.id === id),
    findImages: async (provider) => (offers.some((offer) => offer.provider.name === provider) ? images : undefined),
    pricesAsOf: async () => new Map(Object.entries(pricesAsOf)),
    ...(balance === undefined ? {} : { getBalance: async () => balance }),
  };
}

/** An agent with a session on the tools over a catalog. */
export function agentOf(catalog: AgentCatalog, onError?: (error: unknown) => void) {
  const handler = createMcpHandler(() => createAgentServer({ catalog, version: "0.0.0-test", onError }));
  let id = 0;
  const request = async (method: string, params: Record<string, unknown> = {}) => {
    const response = await handler.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
      }),
    );
    const text = await response.text();
    const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    return JSON.parse(data) as Record<string, unknown>;
  };
  return {
    request,
    call: async (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
      const { result, error } = await request("tools/call", { name, arguments: args });
      if (result === undefined) {
        throw new Error(`The protocol failed: ${JSON.stringify(error)}`);
      }
      return result as ToolResult;
    },
  };
}
