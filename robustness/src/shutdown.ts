import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { lossOf, type End } from "@gpu-offers/testkit/lost-request";
import { openSocket } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { shown, type Problems, type Row } from "./row.ts";
import { msUntil, quantile } from "./timing.ts";

const CLIENTS = 16;
const IDLE = 30;
const PATH = "/api/v1/offers?size=100";
const MAX_EXIT_MS = 1_000;

/** Clients that send requests until the service no longer listens. */
class Load {
  served = 0;
  /** Clients that have an open connection and have received a response on it. */
  connected = 0;
  /** Time of the last response. */
  lastResponseAtMs = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  readonly #service: Service;
  readonly #whole: string;

  constructor(service: Service, whole: string) {
    this.#service = service;
    this.#whole = whole;
  }

  async run(): Promise<End[]> {
    const ends = await Promise.all(Array.from({ length: CLIENTS }, () => this.#askOn()));
    this.#agent.destroy();
    return ends;
  }

  async #askOn(): Promise<End> {
    for (let asked = 0; ; asked++) {
      const sentAtMs = performance.now();
      try {
        const response = await fetchFrom(this.#service, PATH, { agent: this.#agent });
        this.lastResponseAtMs = performance.now();
        if (response.status !== 200 || response.text !== this.#whole) {
          return { met: `status ${response.status} with ${response.body.length} bytes`, sentAtMs: 0 };
        }
        this.served++;
        this.connected += asked === 0 ? 1 : 0;
      } catch (error) {
        return { met: error instanceof Error && "code" in error ? String(error.code) : String(error), sentAtMs };
      }
    }
  }
}

/** Connections that send no request, or half of one. */
async function openIdle(service: Service): Promise<void> {
  const beginnings = ["", "GET /health/live HTTP/1.1\r\nHost:", "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n"];
  for (let number = 0; number < IDLE; number++) {
    const socket = await openSocket(service);
    // The service closes it, gracefully or not.
    socket.on("error", () => {});
    socket.resume();
    socket.write(beginnings[number % beginnings.length] ?? "");
  }
}

async function stopOnce(service: Service, whole: string, afterMs: number, patience: number, problems: Problems) {
  const load = new Load(service, whole);
  const ends = load.run();
  await openIdle(service);
  await msUntil(async () => load.connected === CLIENTS, 30_000);
  await delay(afterMs);
  const signaledAtMs = performance.now();
  const { code, signal } = await service.stop();
  const exitedAtMs = performance.now();
  if (code !== 0) {
    problems.add(`exit ${code ?? signal}`);
  }
  for (const end of await ends) {
    problems.addIf(lossOf(end, signaledAtMs));
  }
  const longestMs = Math.max(0, load.lastResponseAtMs - signaledAtMs);
  const exitMs = exitedAtMs - signaledAtMs;
  if (exitMs > longestMs + MAX_EXIT_MS * patience) {
    problems.add(
      `exit ${Math.round(exitMs)} ms after SIGTERM, ${Math.round(exitMs - longestMs)} ms after the last response`,
    );
  }
  return { exitMs, served: load.served };
}

export const shutdown: Row = {
  name: "shutdown",
  what: "SIGTERM under load, with idle and half-open sockets",
  unit: "runs",
  bar: "nothing in flight lost, exit 0 within 1 s of the longest request",
  n: 200,
  shortN: 1,
  run: async ({ n, seed, patience, progress, problems }) => {
    const random = randomNumbers(seed);
    const first = await startService({ settings: { LOG_LEVEL: "warn" } });
    const whole = (await fetchFrom(first, PATH)).text;
    await first.stop();
    const exits: number[] = [];
    let served = 0;
    for (let run = 0; run < n; run++) {
      const service = await startService({ databasePath: first.databasePath, settings: { LOG_LEVEL: "warn" } });
      const stopped = await stopOnce(service, whole, 50 + random() * 300, patience, problems);
      exits.push(stopped.exitMs);
      served += stopped.served;
      if (run % 20 === 19) {
        progress(`${run + 1} runs`);
      }
    }
    return `${shown(served)} requests of ${CLIENTS} clients served beside ${IDLE} idle sockets, ${problems.count} lost or late; exit after ${Math.round(quantile(exits, 0.5))} ms, at most ${Math.round(Math.max(...exits))} ms`;
  },
};
