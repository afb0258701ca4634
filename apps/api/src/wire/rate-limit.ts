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
  /** Requests of the following windows that large responses have used. */
  owed: number;
}

/** A caller's state after one more request. */
export interface RateState {
  isOver: boolean;
  /** Requests left in the window. */
  remaining: number;
  /** Seconds until there are requests again, rounded up: until the window ends, or a later one. */
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
    const tally = this.#tallyOf(caller);
    tally.requests++;
    return this.#stateOf(tally);
  }

  /**
   * Counts a response that is as much work as several requests. What the window doesn't allow is taken from the following
   * ones, so that a list longer than the limit can still be read.
   */
  charge(caller: string, requests: number): RateState {
    const tally = this.#tallyOf(caller);
    const left = Math.max(0, this.perMinute - tally.requests);
    tally.requests += requests;
    tally.owed += Math.max(0, requests - left);
    return this.#stateOf(tally);
  }

  #tallyOf(caller: string): Tally {
    const nowMs = this.nowMs();
    const known = this.#tallies.get(caller);
    const windows = known === undefined ? 0 : Math.floor((nowMs - known.startedMs) / WINDOW_MS);
    if (known !== undefined && windows < 1) {
      return known;
    }
    const requests = known === undefined ? 0 : Math.max(0, known.owed - (windows - 1) * this.perMinute);
    const startedMs = known !== undefined && requests > 0 ? known.startedMs + windows * WINDOW_MS : nowMs;
    const tally = { startedMs, requests, owed: Math.max(0, requests - this.perMinute) };
    this.#tallies.set(caller, tally);
    return tally;
  }

  #stateOf({ startedMs, requests, owed }: Tally): RateState {
    const windows = 1 + Math.floor(owed / this.perMinute);
    return {
      isOver: requests > this.perMinute,
      remaining: Math.max(0, this.perMinute - requests),
      resetSeconds: Math.ceil((startedMs + windows * WINDOW_MS - this.nowMs()) / 1_000),
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
