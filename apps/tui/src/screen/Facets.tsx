import { countText } from "@gpu-offers/list";
import type { ReactElement } from "react";
import { shownFacets, type FacetRow } from "../picker/facet-rows.js";
import { facetPlace } from "../picker/pane-actions.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { around, BLANK, filled, padded, piece, pointed, row, type Pieces } from "../text/pieces.js";
import { fit } from "../text/width.js";
import { Rows } from "./Row.js";

/** The facets with counts, over or left of the list. */
export function Facets({ state, width }: { state: PickerState; width: number }): ReactElement {
  const facets = shownFacets(state);
  const cursor = facetPlace(state, facets);
  const height = bodyHeight(state);
  const isFocused = state.pane === "facets";
  const isBeside = width < state.columns;
  const inner = isBeside ? width - 2 : width;
  const lines: Pieces[] = [];
  let group = "";
  let place = 0;
  for (const [index, facet] of facets.entries()) {
    const title = facet.kind === "value" ? facet.group : "";
    if (title !== group) {
      group = title;
      lines.push(BLANK, ...(title === "" ? [] : [row(`   ${title}`, "muted")]));
    }
    const isCurrent = isFocused && index === cursor;
    if (index === cursor) {
      place = lines.length;
    }
    lines.push(facetPieces(facet, { isCurrent, draft: isCurrent ? state.facetDraft : undefined, width: inner }));
  }
  const title = titlePieces(state.facetSearch, isFocused, isBeside);
  const rows = padded([title, ...around(lines, place, height - 1)], height);
  const bordered = rows.map((pieces) => [...filled(pieces, inner), piece("│ ", "muted")]);
  return <Rows rows={isBeside ? bordered : rows} width={width} />;
}

function titlePieces(search: string, isFocused: boolean, isBeside: boolean): Pieces {
  if (!isFocused) {
    return [piece(" Facets", "strong"), piece(" (f)", "muted")];
  }
  if (search !== "") {
    return [piece(" find ", "accent"), piece(search, "strong"), piece(" ", "cursor")];
  }
  return [piece(" Facets ", "strong"), piece(isBeside ? "type to find" : "type to find a value", "muted")];
}

/** Width of the mark and the count around a value's name. */
const AROUND_VALUE = 14;

function facetPieces(
  facet: FacetRow,
  { isCurrent, draft, width }: { isCurrent: boolean; draft: string | undefined; width: number },
): Pieces {
  switch (facet.kind) {
    case "number":
    case "text": {
      const text = draft ?? facet.text;
      const field = isCurrent ? [piece(text, "strong"), piece(" ", "cursor")] : [piece(text, "strong")];
      return [...pointed(fit(facet.label, 19), isCurrent), piece("["), ...field, piece("]")];
    }
    case "switch":
      return pointed(`[${facet.isSet ? "x" : " "}] ${facet.label}`, isCurrent);
    case "value": {
      const text = `[${facet.isSet ? "x" : " "}] ${fit(facet.label, Math.min(28, width - AROUND_VALUE))} `;
      const count = facet.count === undefined ? "" : countText(facet.count).padStart(6);
      return [...pointed(text, isCurrent), piece(count, "muted")];
    }
  }
}
