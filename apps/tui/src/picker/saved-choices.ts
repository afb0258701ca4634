import type { AnySortKey, SortOrder } from "@gpu-offers/domain";
import type { LaunchKind } from "@gpu-offers/domain/launching";
import type { ColumnId } from "@gpu-offers/list";
import type { PickerState } from "./state.js";

// Choices that are saved between starts of the picker.

/** Saved choices. */
export interface SavedChoices {
  /** Only offers that are available. */
  available: boolean;
  sort: AnySortKey;
  order: SortOrder;
  hiddenColumns: readonly ColumnId[];
  /** Saved filters, latest first. */
  filters: readonly string[];
  /** The kind of launch text that was chosen last. */
  launchKind: LaunchKind | undefined;
}

/** The choices that changed between two states; undefined if none did. */
export function changedChoices(before: PickerState, now: PickerState): Partial<SavedChoices> | undefined {
  const keys = ["found", "hiddenColumns", "history", "launchKind"] as const;
  if (keys.every((key) => before[key] === now[key])) {
    return undefined;
  }
  const [old, wanted] = [choicesOf(before), choicesOf(now)];
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof SavedChoices]),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function choicesOf({ query, found, hiddenColumns, history, launchKind }: PickerState): SavedChoices {
  const { sort, order } = found.selection.sort;
  return {
    available: query.available === true,
    sort,
    order,
    hiddenColumns: [...hiddenColumns],
    filters: history,
    launchKind,
  };
}
