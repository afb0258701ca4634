import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { freePort, listen } from "./free-port.ts";

// Small HTTP servers for behavior that the service never shows, such as failures.

/** Handles a request; `number` counts requests from 1. */
export type Handler = (response: ServerResponse, request: IncomingMessage, number: number) => void;

/** A server for one test, on a free loopback port. */
export interface TestServer {
  url: string;
  /** Requests so far. */
  requests: IncomingMessage[];
  /** For each request, when its response ended or its connection broke. */
  closes: Promise<unknown>[];
  /** Waits until the given number of requests have arrived. */
  arrived: (count: number) => Promise<void>;
}

/** Starts a server that stops at the end of the test. */
export async function startServer(handle: Handler): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const closes: Promise<unknown>[] = [];
  const news = new EventEmitter();
  const server = createServer((request, response) => {
    requests.push(request);
    closes.push(once(response, "close"));
    handle(response, request, requests.length);
    news.emit("request");
  });
  const port = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    closes,
    arrived: async (count) => {
      while (requests.length < count) {
        await once(news, "request");
      }
    },
  };
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

/** Responds with JSON. */
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
