import type { Service } from "@gpu-offers/testkit/service";

// Messages to `/mcp`, for its tests.

/** A response of MCP. */
export interface Message {
  result?: { tools?: { name: string }[]; structuredContent?: Record<string, unknown> };
  error?: { code: number; message: string };
}

/** Sends a message to `/mcp`. */
export async function send(
  service: Service,
  method: string,
  params: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await response.text();
  return { response, text, message: () => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Message };
}

/** A call of a tool. */
export const find = { name: "find_gpu_offers", arguments: { gpu: ["H100"], limit: 1 } };
