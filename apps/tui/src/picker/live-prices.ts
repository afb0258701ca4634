import type { SourceProgress } from "../catalog/offer-source.js";
import { load } from "./query-actions.js";
import { withCommands, type PickerState } from "./state.js";

// Fetching live prices without a server. The list shows what has arrived; each source adds its own.

/** Begins to fetch live prices, unless they are being fetched. */
export function fetchLive(state: PickerState): PickerState {
  const { live } = state;
  if (live === undefined) {
    return { ...state, notice: "The server fetches its own prices; L works without a server." };
  }
  return live.progress === undefined
    ? withCommands({ ...state, live: { progress: new Map() } }, { kind: "fetchLive" })
    : { ...state, notice: "Live prices are being fetched." };
}

/** Progress of a source, or the end of all. */
export function receiveLive(
  state: PickerState,
  event: { progress: SourceProgress | undefined; nowMs: number },
): PickerState {
  const known = state.live?.progress ?? new Map<string, SourceProgress>();
  const { progress, nowMs } = event;
  if (progress === undefined) {
    const failed = [...known.values()].flatMap((one) =>
      one.kind === "failed" ? [`${one.source} (${one.reason})`] : [],
    );
    const offers = [...known.values()].filter(({ kind }) => kind !== "failed").length;
    const words = `live prices of ${offers} sources${failed.length === 0 ? "" : `; failed: ${failed.join(", ")}`}`;
    return load({ ...state, nowMs, live: { progress: undefined }, notice: words });
  }
  const next = { ...state, nowMs, live: { progress: new Map(known).set(progress.source, progress) } };
  return progress.kind === "fetched" ? load(next) : next;
}

/** The sources that are being fetched. */
export function pendingSources({ live }: Pick<PickerState, "live">): string[] {
  const progress = [...(live?.progress?.values() ?? [])];
  return progress.filter(({ kind }) => kind === "fetching").map(({ source }) => source);
}
