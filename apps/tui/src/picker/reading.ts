import { withoutPiece, type NearSearch, type SearchPiece } from "@gpu-offers/domain";
import { problemText, readingsOf, wordsOf } from "../catalog/query-words.js";
import { countFound, type Found } from "./found.js";
import { movedCursor, type Action } from "./keys.js";
import { firstIndex } from "./offer-view.js";
import { setText } from "./query-actions.js";
import { bodyHeight, type PickerState } from "./state.js";
import { fieldOf } from "./text-field.js";

// How the words of the filter are read, piece by piece, and the other readings.

/** The pieces of the words that count, in their order. What no name contains is a doubt. */
export function readingOf({ search, understood }: Found): readonly SearchPiece[] {
  const told = new Map(understood.map((one) => [one.text, one]));
  return (search?.pieces ?? [])
    .filter(({ text, wish }) => wish === undefined || told.has(text))
    .map((piece) => {
      const { as: doubt, nearest } = told.get(piece.text) ?? {};
      // The other reading of an unknown word is the nearest name, or none of it.
      return nearest === undefined ? piece : Object.assign({}, piece, { doubt, instead: nearest[0] ?? "" });
    });
}

/** A piece, and what it does to the list. */
export interface EffectivePiece extends SearchPiece {
  /** Number of offers that match without it and don't with it. */
  excludes: number;
  /** Number of offers that match with the other reading; undefined if there is none. */
  insteadCount: number | undefined;
}

/** The pieces of {@link readingOf}, with what each of them does. */
export function effectsOf({ found, query, loaded, reading }: PickerState): readonly EffectivePiece[] {
  const countOf = (piece: SearchPiece, instead?: string): number =>
    countFound(loaded.catalog, { ...query, q: replaced(query.q, piece, instead) }, { ...reading, cursor: undefined });
  return readingOf(found).map((piece) => {
    const excludes = Math.max(0, countOf(piece) - found.positions.length);
    const insteadCount = piece.instead === undefined ? undefined : countOf(piece, piece.instead);
    return Object.assign({ excludes, insteadCount }, piece);
  });
}

/** The words with others in place of a piece; undefined if none are left. */
function replaced(q = "", piece: SearchPiece, instead?: string): string | undefined {
  const words = withoutPiece(q, piece, instead).replaceAll(/ {2,}/g, " ").trim();
  return words === "" ? undefined : words;
}

/** Opens the reading at the first piece that is doubtful. */
export function openReading(state: PickerState): PickerState {
  const pieces = readingOf(state.found);
  const readingCursor = firstIndex(pieces, ({ doubt }) => doubt !== undefined);
  return pieces.length === 0
    ? { ...state, notice: "There are no words to read." }
    : { ...state, pane: "reading", readingCursor };
}

/** Handles keys of the reading. */
export function actOnReading(state: PickerState, action: Action | undefined): PickerState {
  const pieces = readingOf(state.found);
  const cursor = Math.min(state.readingCursor, pieces.length - 1);
  const piece = pieces[cursor];
  if (action === "close" || piece === undefined) {
    return { ...state, pane: "none" };
  }
  if (action === "toggle") {
    return piece.instead === undefined
      ? { ...state, notice: "There is no other reading." }
      : setText(state, fieldOf(replaced(state.query.q, piece, piece.instead) ?? ""));
  }
  const readingCursor = movedCursor(action, { cursor, count: pieces.length, height: bodyHeight(state) });
  return readingCursor === undefined ? state : { ...state, readingCursor };
}

// Similar texts with matches, for a text that has none. Finding them takes longer than a key may, so they are looked for
// once no key was pressed for a while.

/** The state with similar texts, if nothing matches and they aren't known yet. */
export function withNear(state: PickerState): PickerState {
  const { found, loaded, near } = state;
  const { q } = found.query;
  if (q === undefined || found.positions.length > 0 || loaded.load.kind !== "ready" || near?.found === found) {
    return state;
  }
  return { ...state, near: { found, texts: loaded.catalog.nearTo(q, found.selection) } };
}

/** The similar texts of the current query, as far as known. */
export function nearOf({ near, found }: PickerState): readonly NearSearch[] {
  return near?.found === found ? near.texts : [];
}

/** How names and words of a query are read, which are unknown, and what can't be right, in sentences. */
export function readingsIn({ query, understood, problems }: Found): string[] {
  return [...readingsOf(wordsOf(query, understood), "Read as "), ...problems.map((problem) => problemText([problem]))];
}
