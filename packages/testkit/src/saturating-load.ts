import autocannon from "autocannon";

/** Responses per second of the list endpoint, with paths requested in turn over 16 connections for a few seconds. */
export async function saturatingLoad(url: string, paths: readonly string[], seconds: number): Promise<number> {
  const result = await autocannon({
    url,
    connections: 16,
    duration: seconds,
    requests: paths.map((path) => ({ method: "GET", path })),
  });
  if (result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(`${result.non2xx + result.errors + result.timeouts} requests failed.`);
  }
  return result.requests.total / result.duration;
}
