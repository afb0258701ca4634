import autocannon from "autocannon";

/** Loads a server with requests in turn for some seconds: with as many as it can take, or at a rate per second. */
export async function load(
  url: string,
  requests: readonly autocannon.Request[],
  seconds: number,
  { connections = 16, rate }: { connections?: number; rate?: number } = {},
): Promise<{ total: number; perSecond: number; failures: number }> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [...requests],
    ...(rate !== undefined && { overallRate: rate }),
  });
  const { total } = result.requests;
  const failures = result["4xx"] + result["5xx"] + result.errors + result.timeouts;
  return { total, perSecond: total / result.duration, failures };
}
