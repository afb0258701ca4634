import autocannon from "autocannon";

/** What a load met. */
export interface Load {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers that were not 200, and connections that failed. */
  failures: number;
  requests: number;
}

const CONNECTIONS = 16;

/** Asks the paths in turn over 16 connections for some seconds, from this process. */
export async function load(url: string, paths: readonly string[], seconds: number): Promise<Load> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: paths.map((path) => ({ method: "GET", path })),
  });
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
    requests: result.requests.total,
  };
}
