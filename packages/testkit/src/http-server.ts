import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { freePort, listen } from "./free-port.ts";
import { atEnd } from "./leftovers.ts";

// Small HTTP servers for behavior that the service never shows, such as failures.

/** Serves requests on a free loopback port until it is closed, at the latest after the test file. */
export async function serve(handle: RequestListener) {
  const server = createServer(handle);
  const port = await listen(server);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    if (server.listening) {
      await once(server, "close");
    }
  };
  atEnd(close);
  return { url: `http://127.0.0.1:${port}`, port, server, close };
}

/** Handles a request; `number` counts requests from 1. */
export type Handler = (response: ServerResponse, request: IncomingMessage, number: number) => void;

/** A server that keeps its requests. */
export interface TestServer {
  url: string;
  requests: IncomingMessage[];
  /** For each request, when its response ended or its connection broke. */
  closes: Promise<unknown>[];
  /** Waits until the given number of requests have arrived. */
  arrived: (count: number) => Promise<void>;
}

/** Starts a server that keeps its requests. */
export async function startServer(handle: Handler): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const closes: Promise<unknown>[] = [];
  const { url, server } = await serve((request, response) => {
    requests.push(request);
    closes.push(once(response, "close"));
    handle(response, request, requests.length);
  });
  const arrived = async (count: number): Promise<void> => {
    while (requests.length < count) {
      await once(server, "request");
    }
  };
  return { url, requests, closes, arrived };
}

/** The URL of an unused port. */
export async function freeUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

/** The parts of a response besides its JSON. */
export interface ResponseParts {
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: ResponseParts = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Responds with an API error. */
export function sendError(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  const code = status === 429 ? "rate_limited" : "unavailable";
  sendJson(response, { code, message: "Not now.", requestId: "r-1" }, { status, headers });
}
