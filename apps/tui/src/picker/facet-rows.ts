import type { ListingParameterName } from "@gpu-offers/domain";
import { controls, memoizeLast, valueCounts, type Control } from "@gpu-offers/list";
import type { Found } from "./found.js";
import { knownImages } from "./image-list.js";
import type { PickerState } from "./state.js";

// The rows of the facets: each control is one row, and each value of a group.

/** A row of the facets. */
export type FacetRow =
  | { kind: "number" | "text"; name: ListingParameterName; label: string; text: string }
  | { kind: "switch"; name: ListingParameterName; label: string; isSet: boolean; control: Control }
  | {
      kind: "value";
      name: ListingParameterName;
      /** Title of the group. */
      group: string;
      value: string;
      label: string;
      /** Number of offers that choosing it shows; undefined for one of a few choices. */
      count: number | undefined;
      isSet: boolean;
      control: Control;
    };

/** The visible facets: all, or the values found by the search. */
export function shownFacets({ found, loaded, facetSearch, images }: FacetState): readonly FacetRow[] {
  return foundFacets(facetRows(found, loaded.catalog, images), facetSearch);
}

type FacetState = Pick<PickerState, "found" | "loaded" | "facetSearch" | "images">;

/** Counts are needed by keys and the screen again and again, and few keys change them. */
const facetRows = memoizeLast(
  (found: Found, { index }: PickerState["loaded"]["catalog"], images: PickerState["images"]): readonly FacetRow[] =>
    controls(found.query, found, valueCounts({ index, images: knownImages(images) }, found))
      .filter(({ name }) => name !== "q")
      .flatMap(rowsOf),
);

function rowsOf(control: Control): FacetRow[] {
  const { name, label: group } = control;
  switch (control.kind) {
    case "number":
    case "text":
      return [{ kind: control.kind, name, label: group, text: control.text }];
    case "switch":
      return [{ kind: "switch", name, label: group, isSet: control.isSet, control }];
    case "choice":
    case "values":
      return control.values.map(({ value, label, count, isSet }) => {
        return { kind: "value", name, group, value, label, count, isSet, control };
      });
  }
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
