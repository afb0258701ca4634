import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { serve } from "./http-server.ts";

// A provider's API on the loopback: it replays responses, and fails like providers do.

interface Whole {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** A response to replay, or a way to fail. */
export type Replay = Whole | { problem: "reset" | "silence" | "drip" | keyof typeof BROKEN };

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

export interface ReplayServer {
  url: string;
  port: number;
  requests: SeenRequest[];
  respond: (replay: Replayer) => void;
  close: () => Promise<void>;
}

/** Starts a server that is closed after the test file. */
export async function startReplay(replay: Replayer): Promise<ReplayServer> {
  let current = replay;
  const requests: SeenRequest[] = [];
  const { url, port, close } = await serve((request, response) => {
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
  const respond = (next: Replayer): void => {
    current = next;
  };
  return { url, port, requests, respond, close };
}

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): Replay => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

const JSON_TYPE = { "content-type": "application/json" };
const GZIP = { ...JSON_TYPE, "content-encoding": "gzip" };

// Compressed once: it takes longer than a test waits for a byte.
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
const OFFERS = gzipSync(JSON.stringify({ offers: Array.from({ length: 1_000 }, (_, id) => ({ id })) }));

const BROKEN = {
  "cut-gzip": (): Whole => ({ headers: GZIP, body: OFFERS.subarray(0, OFFERS.length / 2) }),
  "cut-json": (): Whole => ({ headers: JSON_TYPE, body: '{"offers":[{"id":' }),
  bomb: (): Whole => ({ headers: GZIP, body: BOMB }),
  spaces: (): Whole => ({ headers: JSON_TYPE, body: Buffer.alloc(50 * 1024 * 1024, " ") }),
};

function send(response: ServerResponse, replay: Replay): void {
  if (!("problem" in replay)) {
    response.writeHead(replay.status ?? 200, replay.headers).end(replay.body);
  } else if (replay.problem === "reset") {
    response.socket?.resetAndDestroy();
  } else if (replay.problem === "drip") {
    response.writeHead(200, JSON_TYPE);
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  } else if (replay.problem !== "silence") {
    send(response, BROKEN[replay.problem]());
  }
}
