import { isIP } from "node:net";
import { LRUCache } from "lru-cache";

/** Length of a window in milliseconds. */
const WINDOW_MS = 60_000;

/** Maximum number of tracked callers; the least recently active one is evicted. */
const COUNTED_CALLERS = 20_000;

/** First segments of the paths that are not limited: probes, metrics, the documentation, and the files that the page loads. */
const UNLIMITED = new Set(["health", "metrics", "docs", "openapi.json", "assets"]);

/** Whether requests to a route, such as `/api/v1/offers/:id`, count for the limit. */
export function isCounted(route: string | undefined): boolean {
  return !UNLIMITED.has(route?.split("/")[1] ?? "");
}

/** A caller's current window. */
interface Tally {
  startedMs: number;
  requests: number;
}

/** A caller's state after one more request. */
export interface RateState {
  isOver: boolean;
  /** Requests left in the window. */
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/** Limits the requests of each caller, in one-minute windows that begin with the caller's first request. */
export class RateLimit {
  readonly #tallies = new LRUCache<string, Tally>({ max: COUNTED_CALLERS });

  /**
   * @param perMinute maximum number of requests per caller.
   * @param nowMs monotonic clock: if the wall clock stepped, it could lock callers out.
   */
  constructor(
    readonly perMinute: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts a request of a caller. */
  count(caller: string): RateState {
    const nowMs = this.nowMs();
    let tally = this.#tallies.get(caller);
    if (tally === undefined || nowMs - tally.startedMs >= WINDOW_MS) {
      tally = { startedMs: nowMs, requests: 0 };
      this.#tallies.set(caller, tally);
    }
    tally.requests++;
    return {
      isOver: tally.requests > this.perMinute,
      remaining: Math.max(0, this.perMinute - tally.requests),
      resetSeconds: Math.ceil((tally.startedMs + WINDOW_MS - nowMs) / 1_000),
    };
  }
}

/**
 * An IPv4 address, or the /64 of an IPv6 address, which is what a single subscriber gets. All texts that aren't
 * addresses count as one caller; otherwise a client could choose a new one for each request.
 */
export function networkOf(address: string): string {
  const version = isIP(address);
  if (version === 0) {
    return "no address";
  }
  if (version === 4) {
    return address;
  }
  const [head = "", tail] = address.replace(/%.*$/, "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => "0");
  const network = [...groups, ...(tail === undefined ? [] : zeros), ...last].slice(0, 4);
  // A proxy may forward any spelling of an address.
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
