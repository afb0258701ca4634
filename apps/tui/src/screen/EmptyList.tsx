import { chipOf, countText } from "@gpu-offers/list";
import type { ReactElement } from "react";
import { pendingSources } from "../picker/live-prices.js";
import { loadedSoFar } from "../picker/loaded-offers.js";
import { nearOf, readingsIn } from "../picker/reading.js";
import { bodyHeight, isSlow, paneWidths, type PickerState } from "../picker/state.js";
import { BLANK, piece, row, wrappedRows, type Pieces } from "../text/pieces.js";
import { Rows } from "./Row.js";

/** A list without rows: why there are none, and what to do. */
export function EmptyList({ state }: { state: PickerState }): ReactElement {
  const { list: width } = paneWidths(state);
  return <Rows rows={[BLANK, ...emptyRows(state, width)]} width={width} height={bodyHeight(state)} />;
}

function emptyRows(state: PickerState, width: number): Pieces[] {
  const { found, loaded, place, nowMs } = state;
  if (loaded.load.kind === "failed" && loaded.offers.length === 0) {
    return [...wrappedRows(loaded.load.problem.message, width, "warning"), BLANK, row(" R retries now", "muted")];
  }
  const loadedCount = loadedSoFar(loaded);
  if (loadedCount === 0) {
    return loaded.load.kind === "loading" && isSlow(nowMs, loaded.load.sinceMs)
      ? [row(` loading offers from ${place} ...`, "muted")]
      : [];
  }
  if (loadedCount !== undefined) {
    const total = countText(loaded.total ?? loadedCount);
    return [row(` no matches in the first ${countText(loadedCount)} of ${total} offers, still loading`, "muted")];
  }
  const pending = pendingSources(state);
  if (pending.length > 0) {
    return [row(` no matches yet, fetching ${pending.join(", ")} ...`, "muted")];
  }
  const advice = found.exclusions.map(({ name, count }, index): Pieces => [
    piece(`   ${index + 1} `, "accent"),
    piece(`without ${chipOf(name, found.query)}: `),
    piece(countText(count), "strong"),
  ]);
  const reading = readingsIn(found).flatMap((sentence) => wrappedRows(sentence, width, "muted"));
  const similar = nearOf(state).map(({ text, count }): Pieces => [
    piece("   "),
    piece(text, "strong"),
    piece(`: ${countText(count)}`),
  ]);
  return [
    ...(advice.length === 0
      ? [row(" 0 offers. No single filter is responsible; press x to clear all.")]
      : [
          // In the field, digits are text.
          row(
            ` 0 offers. ${state.pane === "text" ? "After Enter, a number drops" : "Press a number to drop"} a filter:`,
          ),
          ...advice,
        ]),
    ...(reading.length === 0 ? [] : [BLANK, ...reading]),
    ...(similar.length === 0 ? [] : [BLANK, row(" Similar searches; Enter takes the first:"), ...similar]),
  ];
}
