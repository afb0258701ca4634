import { countText, type FacetRow } from "@gpu-offers/list";
import type { ReactElement } from "react";
import { facetPlace, shownFacets } from "../picker/pane-actions.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { fit } from "../text/width.js";
import { around, BLANK, clip, filled, padded, piece, row, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

/** The facets with counts, over or left of the list. */
export function Facets({ state, width }: { state: PickerState; width: number }): ReactElement {
  const isFocused = state.pane === "facets";
  const isBeside = width < state.columns;
  const inner = isBeside ? width - 2 : width;
  const lines: Pieces[] = [];
  let group = "";
  let place = 0;
  const facets = shownFacets(state);
  const cursor = facetPlace(state, facets);
  for (const [index, facet] of facets.entries()) {
    if (facet.kind === "value" && facet.group !== group) {
      ({ group } = facet);
      lines.push(BLANK, row(`   ${group}`, "muted"));
    }
    const isCurrent = isFocused && index === cursor;
    if (index === cursor) {
      place = lines.length;
    }
    lines.push(facetPieces(state, facet, { isCurrent, width: inner }));
  }
  const rows = padded(
    [title(state, isFocused, isBeside), ...around(lines, place, bodyHeight(state) - 1)],
    bodyHeight(state),
  );
  const bordered = rows.map((pieces) => [...filled(pieces, inner), piece("│ ", "muted")]);
  return <Rows rows={isBeside ? bordered : rows.map((pieces) => clip(pieces, width))} width={width} />;
}

function title({ facetSearch }: PickerState, isFocused: boolean, isBeside: boolean): Pieces {
  if (!isFocused) {
    return [piece(" Facets", "strong"), piece(" (f)", "muted")];
  }
  if (facetSearch !== "") {
    return [piece(" find ", "accent"), piece(facetSearch, "strong"), piece(" ", "cursor")];
  }
  return [piece(" Facets ", "strong"), piece(isBeside ? "type to find" : "type to find a value", "muted")];
}

/** Width of the mark and the count around a value's name. */
const AROUND_VALUE = 14;

function facetPieces(
  state: PickerState,
  facet: FacetRow,
  { isCurrent, width }: { isCurrent: boolean; width: number },
): Pieces {
  const pointer = piece(isCurrent ? " ❯ " : "   ", "accent");
  const role = isCurrent ? "strong" : "plain";
  switch (facet.kind) {
    case "number": {
      const text = (isCurrent ? state.facetDraft : undefined) ?? String(facet.value ?? "");
      const field = isCurrent ? [piece(text, "strong"), piece(" ", "cursor")] : [piece(text, "strong")];
      return [pointer, piece(fit(facet.label, 19), role), piece("["), ...field, piece("]")];
    }
    case "flag":
      return [pointer, piece(`[${facet.isSet ? "x" : " "}] ${facet.label}`, role)];
    case "value": {
      const text = `[${facet.isSet ? "x" : " "}] ${fit(facet.label, Math.min(28, width - AROUND_VALUE))} `;
      return [pointer, piece(text, role), piece(countText(facet.count).padStart(6), "muted")];
    }
  }
}
