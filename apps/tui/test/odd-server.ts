import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import type { Offer } from "@gpu-offers/domain";

// Servers that misbehave, or change between two questions.

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server with any behavior; gives its address. */
export async function startOdd(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that answers every question with one error of the interface. */
export function failing(status: number, code: string, headers: Record<string, string> = {}): Promise<string> {
  return startOdd((_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ code, message: "No.", requestId: "1" }));
  });
}

/** A server that lists one offer, and has another one of the same id, or none, when it is asked for by id. */
export function changing(listed: Offer, now: Offer | undefined): Promise<string> {
  return startOdd((request, response) => {
    const isList = request.url?.startsWith("/api/v1/offers?") === true;
    const isImages = request.url?.endsWith("/images") === true;
    const list = { offers: [listed], page: 0, totalPages: 1, totalElements: 1, hasMore: false };
    const body = isList ? list : isImages ? { data: [] } : now;
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { code: "not_found", message: "Offer not found.", requestId: "1" }));
  });
}
