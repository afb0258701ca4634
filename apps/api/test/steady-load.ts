import { Agent } from "node:http";
import { fetchFrom, type HttpResponse, type HttpRequest } from "@gpu-offers/testkit/http";

/** Several callers that send requests continuously until stopped. */
export interface SteadyLoad {
  /** Number of responses so far. */
  count: () => number;
  /** Resolves after the given number of additional responses. */
  more: (responses: number) => Promise<void>;
  /** Waits for the last responses, and returns those that were not 200. */
  stop: () => Promise<{ responses: number; failures: string[] }>;
}

/** Requests one path after the other, over keep-alive connections. */
export function startLoad(service: { port: number }, paths: readonly string[], request: HttpRequest = {}): SteadyLoad {
  const callers = 4;
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const failures: string[] = [];
  let responses = 0;
  const over = new AbortController();
  const waiting = new Set<{ at: number; resolve: () => void }>();
  const call = async (first: number): Promise<void> => {
    for (let index = first; !over.signal.aborted; index += callers) {
      const path = paths[index % paths.length] ?? "/";
      const failure = await fetchFrom(service, path, { ...request, agent }).then(failureOf, String);
      responses++;
      if (failure !== undefined) {
        failures.push(`${path}: ${failure}`);
      }
      for (const waiter of waiting) {
        if (responses >= waiter.at) {
          waiting.delete(waiter);
          waiter.resolve();
        }
      }
    }
  };
  const calls = Array.from({ length: callers }, (_, first) => call(first));
  return {
    count: () => responses,
    more: (wanted) =>
      new Promise((resolve) => {
        waiting.add({ at: responses + wanted, resolve });
      }),
    stop: async () => {
      over.abort();
      await Promise.all(calls);
      agent.destroy();
      return { responses, failures };
    },
  };
}

function failureOf({ status, text }: HttpResponse): string | undefined {
  return status === 200 ? undefined : `${status} ${text}`;
}
