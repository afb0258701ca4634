import type { ListingParameterName } from "@gpu-offers/domain";
import { controls, memoizeLast, valueCounts, type Control, type ControlValue } from "@gpu-offers/list";
import type { Found } from "./found.js";
import type { PickerState } from "./state.js";

// The rows of the facets: each control is one row, and each value of a group.

/** A row of the facets: a control, or a value of one with its group, and its count unless it is one of a few choices. */
export type FacetRow = (
  | Exclude<Control, { values: unknown }>
  | ({ kind: "value"; name: ListingParameterName; group: string } & ControlValue)
) & { control: Control };

/** The visible facets: all, or the values found by the search. */
export function shownFacets({ found, loaded, facetSearch }: PickerState): readonly FacetRow[] {
  return foundFacets(facetRows(found, loaded.catalog), facetSearch);
}

/** Counts are needed by keys and the screen again and again, and few keys change them. */
const facetRows = memoizeLast(
  (found: Found, { index, names: { images } }: PickerState["loaded"]["catalog"]): readonly FacetRow[] =>
    controls(found.query, found, valueCounts({ index, images }, found))
      .filter(({ name }) => name !== "q")
      .flatMap(rowsOf),
);

function rowsOf(control: Control): FacetRow[] {
  if (!("values" in control)) {
    return [{ ...control, control }];
  }
  const { name, label: group } = control;
  return control.values.map((value) => Object.assign({ kind: "value" as const, name, group, control }, value));
}

/** Rows that match a search, ignoring case, spaces and hyphens; all rows if it is empty. */
function foundFacets(rows: readonly FacetRow[], search: string): readonly FacetRow[] {
  const wanted = normalized(search);
  return wanted === ""
    ? rows
    : rows.filter(
        (row) => row.kind === "value" && normalized(`${row.group} ${row.label} ${row.value}`).includes(wanted),
      );
}

function normalized(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, "");
}
