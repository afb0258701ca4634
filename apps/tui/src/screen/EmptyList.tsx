import type { NearSearch } from "@gpu-offers/domain";
import { chipOf, countText } from "@gpu-offers/list";
import type { ReactElement } from "react";
import type { Found } from "../picker/found.js";
import { loadedSoFar, type LoadedOffers } from "../picker/loaded-offers.js";
import { isSlow } from "../picker/state.js";
import { wrapped } from "../text/width.js";
import { BLANK, clip, padded, piece, row, warningRows, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

interface EmptyListProps {
  found: Found;
  loaded: LoadedOffers;
  /** How the words were read, in sentences. */
  readings: readonly string[];
  /** Similar searches with matches. */
  near: readonly NearSearch[];
  /** Sources that are being fetched. */
  pending: readonly string[];
  /** URL or file of the offers. */
  place: string;
  /** Whether digits are text. */
  isTyping: boolean;
  nowMs: number;
  width: number;
  height: number;
}

/** A list without rows: why there are none, and what to do. */
export function EmptyList({ width, height, ...props }: EmptyListProps): ReactElement {
  const rows = padded([BLANK, ...emptyRows({ ...props, width })], height);
  return <Rows rows={rows.map((pieces) => clip(pieces, width))} width={width} />;
}

function emptyRows(props: Omit<EmptyListProps, "height">): Pieces[] {
  const { found, loaded, readings, near, pending, place, isTyping, nowMs, width } = props;
  if (loaded.load.kind === "failed" && loaded.offers.length === 0) {
    return [...warningRows(loaded.load.problem.message, width), BLANK, row(" R retries now", "muted")];
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
  if (pending.length > 0) {
    return [row(` no matches yet, fetching ${pending.join(", ")} ...`, "muted")];
  }
  const advice = found.exclusions.map(({ name, count }, index): Pieces => [
    piece(`   ${index + 1} `, "accent"),
    piece(`without ${chipOf(name, found.query)}: `),
    piece(countText(count), "strong"),
  ]);
  const reading = readings.flatMap((text) => wrapped(text, width - 2).map((line) => row(` ${line}`, "muted")));
  const similar = near.map(({ text, count }): Pieces => [
    piece("   "),
    piece(text, "strong"),
    piece(`: ${countText(count)}`),
  ]);
  return [
    ...(advice.length === 0
      ? [row(" 0 offers. No single filter is responsible; press x to clear all.")]
      : [
          // In the field, digits are text.
          row(` 0 offers. ${isTyping ? "After Enter, a number drops" : "Press a number to drop"} a filter:`),
          ...advice,
        ]),
    ...(reading.length === 0 ? [] : [BLANK, ...reading]),
    ...(near.length === 0 ? [] : [BLANK, row(" Similar searches; Enter takes the first:"), ...similar]),
  ];
}
