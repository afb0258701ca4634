import { isIP } from "node:net";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;

/** Maximum number of tracked callers, and of those with nothing left; the least recently active ones are evicted. */
const COUNTED_CALLERS = 20_000;
const EXHAUSTED_CALLERS = 100_000;

/** First segments of the paths that are not limited: probes, the documentation, and the files that the page loads. */
const UNLIMITED = new Set(["health", "docs", "openapi.json", "assets"]);

/** Whether requests to a route, such as `/api/v1/offers/:id`, count for the limit. */
export function isCounted(route = "/"): boolean {
  const end = route.indexOf("/", 1);
  return !UNLIMITED.has(route.slice(1, end === -1 ? undefined : end));
}

interface Tally {
  startedMs: number;
  units: number;
  /** Units of the following windows that expensive requests have used. */
  owed: number;
}

/** A caller's state after one more request. */
export interface RateState {
  isOver: boolean;
  /** Units left in the window. */
  remaining: number;
  /** Seconds until there are units again, rounded up: until the window ends, or a later one. */
  resetSeconds: number;
}

/** Limits the units of work of each caller, in one-minute windows that begin with the caller's first request. */
export class RateLimit {
  readonly #tallies = new LRUCache<string, Tally>({ max: COUNTED_CALLERS });
  /** Callers with nothing left, kept apart: otherwise a caller with many addresses could make the limit forget one. */
  readonly #exhausted = new LRUCache<string, Tally>({ max: EXHAUSTED_CALLERS });

  /** @param perMinute maximum units per caller. @param nowMs monotonic clock: steps of another could lock callers out. */
  constructor(
    readonly perMinute: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  count(caller: string): RateState {
    return this.#take(caller, this.#tallyOf(caller), 1);
  }

  /**
   * Takes what a counted request costs beyond its first unit. What the window doesn't have is owed by the following ones, so
   * that a list longer than the limit can still be read; who owes already gets nothing.
   */
  charge(caller: string, units: number): RateState {
    const tally = this.#tallyOf(caller);
    return tally.owed > 0 ? { ...this.#stateOf(tally), isOver: true } : this.correct(caller, units);
  }

  /** Takes more units of a request that was charged already, or gives some back if negative. */
  correct(caller: string, units: number): RateState {
    const tally = this.#tallyOf(caller);
    const left = Math.max(0, this.perMinute - tally.units);
    tally.owed = Math.max(0, tally.owed + (units > 0 ? Math.max(0, units - left) : units));
    return { ...this.#take(caller, tally, Math.max(units, -tally.units)), isOver: false };
  }

  #take(caller: string, tally: Tally, units: number): RateState {
    tally.units += units;
    const [kept, other] =
      tally.units < this.perMinute ? [this.#tallies, this.#exhausted] : [this.#exhausted, this.#tallies];
    if (!kept.has(caller)) {
      other.delete(caller);
      kept.set(caller, tally);
    }
    return this.#stateOf(tally);
  }

  #tallyOf(caller: string): Tally {
    const nowMs = this.nowMs();
    const known = this.#tallies.get(caller) ?? this.#exhausted.get(caller);
    if (known === undefined) {
      return { startedMs: nowMs, units: 0, owed: 0 };
    }
    const windows = Math.floor((nowMs - known.startedMs) / WINDOW_MS);
    if (windows >= 1) {
      known.units = Math.max(0, known.owed - (windows - 1) * this.perMinute);
      known.startedMs = known.units > 0 ? known.startedMs + windows * WINDOW_MS : nowMs;
      known.owed = Math.max(0, known.units - this.perMinute);
    }
    return known;
  }

  #stateOf({ startedMs, units, owed }: Tally): RateState {
    const windows = 1 + Math.floor(owed / this.perMinute);
    return {
      isOver: units > this.perMinute,
      remaining: Math.max(0, this.perMinute - units),
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
