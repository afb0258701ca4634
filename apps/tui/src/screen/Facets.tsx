import { countText } from "@gpu-offers/list";
import { memo, type ReactElement } from "react";
import type { FacetRow } from "../picker/facet-rows.js";
import { fit } from "../text/width.js";
import { around, BLANK, clip, filled, padded, piece, row, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

interface FacetsProps {
  facets: readonly FacetRow[];
  /** Index of the facet under the cursor. */
  cursor: number;
  /** Text that the values are searched for. */
  search: string;
  /** Input of the number under the cursor. */
  draft: string | undefined;
  isFocused: boolean;
  /** Whether the list is beside them. */
  isBeside: boolean;
  width: number;
  height: number;
}

/** The facets with counts, over or left of the list. */
export const Facets = memo(function Facets({
  facets,
  cursor,
  draft,
  width,
  height,
  ...head
}: FacetsProps): ReactElement {
  const { isFocused, isBeside } = head;
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
    lines.push(facetPieces(facet, { isCurrent, draft: isCurrent ? draft : undefined, width: inner }));
  }
  const rows = padded([titlePieces(head), ...around(lines, place, height - 1)], height);
  const bordered = rows.map((pieces) => [...filled(pieces, inner), piece("│ ", "muted")]);
  return <Rows rows={isBeside ? bordered : rows.map((pieces) => clip(pieces, width))} width={width} />;
});

function titlePieces({ search, isFocused, isBeside }: Pick<FacetsProps, "search" | "isFocused" | "isBeside">): Pieces {
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
  const pointer = piece(isCurrent ? " ❯ " : "   ", "accent");
  const role = isCurrent ? "strong" : "plain";
  switch (facet.kind) {
    case "number":
    case "text": {
      const text = draft ?? facet.text;
      const field = isCurrent ? [piece(text, "strong"), piece(" ", "cursor")] : [piece(text, "strong")];
      return [pointer, piece(fit(facet.label, 19), role), piece("["), ...field, piece("]")];
    }
    case "switch":
      return [pointer, piece(`[${facet.isSet ? "x" : " "}] ${facet.label}`, role)];
    case "value": {
      const text = `[${facet.isSet ? "x" : " "}] ${fit(facet.label, Math.min(28, width - AROUND_VALUE))} `;
      return [
        pointer,
        piece(text, role),
        piece(facet.count === undefined ? "" : countText(facet.count).padStart(6), "muted"),
      ];
    }
  }
}
