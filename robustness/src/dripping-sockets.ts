import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { pacedLoad } from "@gpu-offers/testkit/paced-load";
import { firstResponse, openSocket } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { shown, type Row } from "./row.ts";

// Clients that send a byte now and then, send nothing, or never read, next to clients that behave well.

const PACE_MS = 100;
/** Number of ticks between two bytes on a socket. */
const TURNS = 5;
const GOOD_A_SECOND = 300;
const MAX_P99_MS = 100;
const SECONDS = 40;
const SHORT_SECONDS = 3;
/** A run with fewer sockets than this is a short run. */
const FULL = 1_000;

/** How a connection starts, and what it drips. */
const KINDS: { begin: string; drop: string; isReader: boolean }[] = [
  { begin: "", drop: "", isReader: true },
  { begin: "G", drop: "E", isReader: true },
  { begin: "GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ", drop: "a", isReader: true },
  { begin: "GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", drop: "a", isReader: true },
  {
    begin: "GET /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
    drop: "1\r\na\r\n",
    isReader: true,
  },
  { begin: "GET /api/v1/offers?size=100 HTTP/1.1\r\nHost: x\r\n\r\n".repeat(40), drop: "", isReader: false },
];

/** Keeps a number of bad connections open to a service: each one that ends is replaced. */
class Drippers {
  readonly #service: Service;
  readonly #open = new Map<Socket, { drop: string; turn: number }>();
  #timer: NodeJS.Timeout | undefined;
  #pace = 0;
  #isOver = false;
  /** Connections that the service ended. */
  ended = 0;
  /** Responses by status. */
  readonly statuses = new Map<number, number>();

  constructor(service: Service) {
    this.#service = service;
  }

  async start(count: number): Promise<void> {
    for (let number = 0; number < count; number++) {
      await this.#add(number);
    }
    this.#timer = setInterval(() => this.#drip(), PACE_MS);
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    for (const socket of this.#open.keys()) {
      socket.destroy();
    }
  }

  get count(): number {
    return this.#open.size;
  }

  async #add(number: number): Promise<void> {
    const kind = KINDS[number % KINDS.length] as (typeof KINDS)[number];
    const socket = await openSocket(this.#service);
    this.#open.set(socket, { drop: kind.drop, turn: number % TURNS });
    let text = "";
    // Writing to a connection that has ended fails.
    socket.on("error", () => {});
    if (kind.isReader) {
      socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    } else {
      socket.pause();
    }
    socket.once("close", () => {
      this.#open.delete(socket);
      if (!this.#isOver) {
        this.ended++;
        const status = firstResponse(text)?.status ?? 0;
        this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
        void this.#add(number);
      }
    });
    socket.write(kind.begin);
  }

  #drip(): void {
    this.#pace++;
    for (const [socket, { drop, turn }] of this.#open) {
      if (drop !== "" && turn === this.#pace % TURNS) {
        socket.write(drop);
      }
    }
  }
}

export const drippingSockets: Row = {
  name: "dripping-sockets",
  what: "sockets that drip headers or bodies, idle, or never read",
  unit: "sockets",
  bar: "good clients: no error, p99 <= 100 ms",
  n: FULL,
  shortN: 200,
  run: async ({ n, patience, progress, problems }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const drippers = new Drippers(service);
    await drippers.start(n);
    await delay(500);
    progress(`${drippers.count} sockets are open`);
    const paths = ["/api/v1/offers?size=10", "/api/v1/offers?gpu=h100-sxm", "/api/v1/providers", "/health/ready"];
    const load = await pacedLoad(service.url, paths, GOOD_A_SECOND, n < FULL ? SHORT_SECONDS : SECONDS);
    const open = drippers.count;
    drippers.stop();
    if (load.failures > 0) {
      problems.add(`${load.failures} of ${load.requests} good requests failed`);
    }
    if (load.p99Ms > MAX_P99_MS * patience) {
      problems.add(`p99 ${load.p99Ms.toFixed(1)} ms`);
    }
    if (open < n * 0.9) {
      problems.add(`only ${open} sockets were open at the end`);
    }
    const { code } = await service.stop();
    if (code !== 0) {
      problems.add(`the service ended with ${code}`);
    }
    const ends = [...drippers.statuses].map(([status, count]) => `${count} with ${status || "no response"}`).join(", ");
    return `${shown(load.requests)} good requests at ${GOOD_A_SECOND}/s, ${load.failures} failed, p99 ${load.p99Ms.toFixed(1)} ms; ${shown(drippers.ended)} of the sockets ended by the service${ends === "" ? "" : ` (${ends})`}`;
  },
};
