import { Agent, request } from "node:http";

/** Results of a load at a steady rate. */
export interface PacedLoad {
  requests: number;
  /** Responses that were not 200, and connections that failed. */
  failures: number;
  p99Ms: number;
}

const TICK_MS = 5;

/** Requests the paths in turn at a steady rate, regardless of response times, over keep-alive connections. */
export async function pacedLoad(
  url: string,
  paths: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<PacedLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const latencies: number[] = [];
  const pending: Promise<boolean>[] = [];
  const started = performance.now();
  const total = perSecond * seconds;
  while (pending.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
    while (pending.length < due) {
      pending.push(ask(agent, url + paths[pending.length % paths.length], latencies));
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  const outcomes = await Promise.all(pending);
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    requests: total,
    failures: outcomes.filter((isGood) => !isGood).length,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}

function ask(agent: Agent, url: string, latencies: number[]): Promise<boolean> {
  const started = performance.now();
  return new Promise((resolve) => {
    request(url, { agent }, (response) => {
      response.resume();
      // A response that is cut off closes without an end.
      response.once("close", () => {
        latencies.push(performance.now() - started);
        resolve(response.complete && response.statusCode === 200);
      });
    })
      .once("error", () => resolve(false))
      .end();
  });
}
