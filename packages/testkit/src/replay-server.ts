import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { listen } from "./free-port.ts";
import { atEnd } from "./leftovers.ts";

// A provider's API on the loopback: it replays responses, and fails like providers do.

/** A response to replay, or a way to fail. */
export type Replay =
  | { status?: number; headers?: Readonly<Record<string, string>>; body?: string | Uint8Array }
  | { problem: Problem };

/** Ways to break a response. */
export type Problem = "reset" | "silence" | "drip" | "cut-gzip" | "cut-json" | "bomb" | "spaces";

/** A received request. */
export interface SeenRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: IncomingMessage["headers"];
  body: string;
  /** The body as sent. */
  bytes: Buffer;
  atMs: number;
}

/** Returns the response to a request, immediately or later. */
export type Replayer = (request: SeenRequest) => Replay | Promise<Replay>;

/** A server that replays responses. */
export interface ReplayServer {
  url: string;
  port: number;
  requests: SeenRequest[];
  /** Changes what it replays. */
  respond: (replay: Replayer) => void;
  close: () => Promise<void>;
}

/** Starts a server on a free port; it is closed after the test file. */
export async function startReplay(replay: Replayer): Promise<ReplayServer> {
  let current = replay;
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: target = "", headers } = request;
      const bytes = Buffer.concat(chunks);
      const seen = { method, target, headers, body: bytes.toString("utf8"), bytes, atMs: performance.now() };
      requests.push(seen);
      void Promise.resolve(current(seen)).then((given) => send(response, given));
    });
  });
  const port = await listen(server);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    if (server.listening) {
      await once(server, "close");
    }
  };
  atEnd(close);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    respond: (next) => {
      current = next;
    },
    close,
  };
}

/** A JSON response. */
export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Replay => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

function send(response: ServerResponse, replay: Replay): void {
  if ("problem" in replay) {
    breakDown(response, replay.problem);
    return;
  }
  response.writeHead(replay.status ?? 200, replay.headers);
  response.end(replay.body);
}

// Created once: it takes longer than a test waits for a byte.
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));

const GZIP = { "content-type": "application/json", "content-encoding": "gzip" };

function breakDown(response: ServerResponse, problem: Problem): void {
  switch (problem) {
    case "reset":
      response.socket?.resetAndDestroy();
      break;
    case "silence":
      break;
    case "drip": {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(timer));
      break;
    }
    case "cut-gzip": {
      const whole = gzipSync(JSON.stringify({ offers: Array.from({ length: 1_000 }, (_, id) => ({ id })) }));
      response.writeHead(200, GZIP);
      response.end(whole.subarray(0, whole.length / 2));
      break;
    }
    case "cut-json":
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"offers":[{"id":');
      break;
    case "bomb":
      response.writeHead(200, GZIP);
      response.end(BOMB);
      break;
    case "spaces":
      response.writeHead(200, { "content-type": "application/json" });
      response.end(Buffer.alloc(50 * 1024 * 1024, " "));
      break;
  }
}
