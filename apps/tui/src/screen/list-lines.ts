import type { Offer } from "@gpu-offers/domain";
import { countText } from "../text/count-text.js";
import { headingText, rowText } from "../output/layout.js";
import { filterChip, sortWords } from "../query/filter-words.js";
import { leaveOneOut } from "../query/query.js";
import { isSlow, listHeight, type PickerState } from "../picker/state.js";
import { splitAt, textWidth, wrapped } from "../text/width.js";
import { BLANK, ends, highlighted, line, piece, type Line, type Piece } from "./line.js";
import { listLayout, listWidth } from "./list-layout.js";

/** Heading, rows and position of the list: two lines more than it has rows. */
export function listLines(state: PickerState): Line[] {
  const { view } = state;
  const height = listHeight(state);
  if (view.rows.length === 0) {
    return [BLANK, ...padded(emptyLines(state), height + 1)];
  }
  const rows = view.rows
    .slice(view.top, view.top + height)
    .map((offer, index) => rowLine(state, offer, view.top + index));
  return [headingLine(state), ...padded(rows, height), positionLine(state)];
}

/** Lines filled up, or cut, to a number of them. */
export function padded(lines: readonly Line[], height: number): Line[] {
  return [...lines, ...Array.from({ length: Math.max(0, height - lines.length) }, () => BLANK)].slice(0, height);
}

/** A message in as many lines as it takes. */
export function warningLines(message: string, width: number): Line[] {
  return wrapped(message, width - 2).map((text) => line(` ${text}`, "warning"));
}

function headingLine(state: PickerState): Line {
  const { sort, order } = state.query;
  const arrow = order === "asc" ? "↑" : "↓";
  return line(`  ${headingText(listLayout(state).laid, (column) => (column.sort === sort ? arrow : ""))}`, "muted");
}

function rowLine(state: PickerState, offer: Offer, index: number): Line {
  const { laid, facts } = listLayout(state);
  const isCurrent = index === state.view.cursor;
  const role = offer.isAvailable ? "plain" : "muted";
  const words = state.query.filter.text?.split(/\s+/).filter((word) => word !== "") ?? [];
  const mark = offer.isAvailable ? " " : "×";
  const pieces = highlighted(rowText(laid, offer, facts), words, role);
  const pointer = [piece(isCurrent ? "❯" : " ", "accent"), piece(mark, "warning")];
  return [...pointer, ...(isCurrent ? withStrongStart(pieces, laid[0]?.width ?? 0) : pieces)];
}

/** The name of the current row stands out. Not the whole row: a cursor key would have to write all of two rows. */
function withStrongStart(pieces: readonly Piece[], width: number): Piece[] {
  let room = width;
  return pieces.flatMap(({ text, role }) => {
    const [start, rest] = role === "match" ? ["", text] : splitAt(text, Math.max(0, room));
    room -= textWidth(text);
    return [piece(start, "strong"), piece(rest, role)].filter((part) => part.text !== "");
  });
}

const BAR = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** Where the rows on the screen are in the list; in trouble, what it is. */
function positionLine(state: PickerState): Line {
  const { view, held } = state;
  if (held.load.kind === "failed") {
    return line(` ${held.load.fault.message}`, "warning");
  }
  const last = Math.min(view.top + listHeight(state), view.rows.length);
  const share = view.rows.length <= 1 ? 1 : view.cursor / (view.rows.length - 1);
  const bar = BAR[Math.min(BAR.length - 1, Math.floor(share * BAR.length))] ?? "";
  const place = ` ${view.top + 1}–${last} of ${countText(view.rows.length)}${hiddenOrder(state)}`;
  return ends(line(place, "muted"), line(`${bar} ${Math.round(share * 100)}% `, "muted"), listWidth(state));
}

/** The order in words, where the screen is too narrow for the column that carries its mark. */
function hiddenOrder(state: PickerState): string {
  const isShown = listLayout(state).laid.some(({ column }) => column.sort === state.query.sort);
  return isShown ? "" : ` ${sortWords(state.query)}`;
}

function emptyLines(state: PickerState): Line[] {
  const { held, query } = state;
  if (held.load.kind === "failed" && held.offers.length === 0) {
    return [...warningLines(held.load.fault.message, listWidth(state)), BLANK, line(" R asks again now", "muted")];
  }
  if (held.load.kind === "loading" && held.offers.length === 0) {
    return isSlow(state, held.load.sinceMs) ? [line(` reading offers from ${state.place} ...`, "muted")] : [];
  }
  const advice = leaveOneOut(held.offers, query.filter).map(({ key, count }, index): Line => [
    piece(`   ${index + 1} `, "accent"),
    piece(`without ${filterChip(key, query.filter)}: `),
    piece(countText(count), "strong"),
  ]);
  return advice.length === 0
    ? [line(" 0 offers. No filter alone is the reason; x clears all of them.")]
    : [line(" 0 offers. A key drops one filter:"), ...advice];
}
