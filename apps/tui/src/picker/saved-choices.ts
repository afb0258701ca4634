import type { SortOrder } from "@gpu-offers/domain";
import type { ColumnId, SortBy } from "@gpu-offers/list";
import type { PickerState } from "./state.js";

// Choices that are saved between starts of the picker.

/** Saved choices. */
export interface SavedChoices {
  /** Only offers that are available. */
  available: boolean;
  sort: SortBy;
  order: SortOrder;
  hiddenColumns: readonly ColumnId[];
  /** Saved filters, latest first. */
  filters: readonly string[];
}

/** The choices that changed between two states; undefined if none did. */
export function changedChoices(before: PickerState, now: PickerState): Partial<SavedChoices> | undefined {
  if (before.query === now.query && before.hiddenColumns === now.hiddenColumns && before.history === now.history) {
    return undefined;
  }
  const [old, wanted] = [choicesOf(before), choicesOf(now)];
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof SavedChoices]),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function choicesOf({ query, hiddenColumns, history }: PickerState): SavedChoices {
  return {
    available: query.filter.available === true,
    sort: query.sort,
    order: query.order,
    hiddenColumns: [...hiddenColumns],
    filters: history,
  };
}
