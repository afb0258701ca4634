import { readdirSync, readFileSync } from "node:fs";
import { fetchFrom, type HttpRequest } from "@gpu-offers/testkit/http";
import type { Service } from "@gpu-offers/testkit/service";

// What requests cost a service, in its processor time (Linux), compared with a page of offers that was not requested before.

/** A request to send. */
export type Sent = HttpRequest & { path: string };

/** Processor time of a thread, in milliseconds: the first figure is in nanoseconds. A thread may have ended. */
function threadMs(path: string): number {
  try {
    return Number(readFileSync(`${path}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** Processor time that a process and its main thread, which runs the event loop, have used. */
function processorMs(id: number | undefined): { process: number; main: number } {
  const tasks = readdirSync(`/proc/${id}/task`).map((task) => threadMs(`/proc/${id}/task/${task}`));
  return { process: tasks.reduce((sum, ms) => sum + ms, 0), main: threadMs(`/proc/${id}/task/${id}`) };
}

/** What requests cost. */
export interface Cost {
  /** Processor time of a request. */
  ms: number;
  /** The longest processor time of the main thread for one request: the event loop was not held for longer. */
  heldMs: number;
  /** Distinct statuses of the responses. */
  statuses: readonly number[];
  /** Bytes of all responses. */
  bytes: number;
  /** Lines of all responses. */
  lines: number;
}

/** Sends requests one after the other. */
export async function costOf(service: Service, count: number, requestOf: (number: number) => Sent): Promise<Cost> {
  const id = service.process.child.pid;
  const statuses = new Set<number>();
  const first = processorMs(id);
  const sent = { bytes: 0, lines: 0 };
  let heldMs = 0;
  let before = first;
  for (let number = 0; number < count; number++) {
    const { path, ...request } = requestOf(number);
    const { status, body, text } = await fetchFrom(service, path, request);
    statuses.add(status);
    sent.bytes += body.length;
    sent.lines += text.split("\n").length;
    const after = processorMs(id);
    heldMs = Math.max(heldMs, after.main - before.main);
    before = after;
  }
  return { ms: (before.process - first.process) / count, heldMs, statuses: [...statuses], ...sent };
}

/** Pages that the cheap request is measured with; each is sent once. Twice as many warm the service up. */
const CHEAP_PAGES = 300;

/** Processor time of a page of offers that was not requested before, in milliseconds. */
export async function cheapPageMs(service: Service): Promise<number> {
  const pageAt = (number: number, gpus: number): Sent => ({
    path: `/api/v1/offers?size=25&page=${number % 200}&min_gpu_count=${gpus + Math.floor(number / 200)}`,
  });
  await costOf(service, 2 * CHEAP_PAGES, (number) => pageAt(number, 2));
  return (await costOf(service, CHEAP_PAGES, (number) => pageAt(number, 0))).ms;
}
