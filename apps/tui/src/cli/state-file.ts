import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_SORT_KEYS, SORT_ORDERS } from "@gpu-offers/domain";
import { LAUNCH_KINDS } from "@gpu-offers/domain/launching";
import { HIDEABLE_COLUMNS } from "@gpu-offers/list";
import { userFolder } from "../user-folder.js";
import type { SavedChoices } from "../picker/pick-request.js";
import { withoutUndefined } from "./given.js";

// Saves choices between starts of the picker, in `gpu-offers/state.json` in XDG_STATE_HOME or ~/.local/state. It is a
// convenience: if the file can't be read or written, it is ignored.

const FILE = "state.json";

type Environment = Readonly<Record<string, string | undefined>>;

/** The saved choices. */
export function readSavedChoices(environment: Environment): Partial<SavedChoices> {
  const folder = userFolder(environment, "XDG_STATE_HOME");
  if (folder === undefined) {
    return {};
  }
  try {
    return validChoices(JSON.parse(readFileSync(join(folder, FILE), "utf8")) as Partial<Record<string, unknown>>);
  } catch {
    return {};
  }
}

const MAX_FILTERS = 50;
const MAX_FILTER_LENGTH = 200;

/** The valid choices of a file, which another version may have written. A schema would take 10 ms to load. */
function validChoices({
  available,
  sort,
  order,
  hiddenColumns,
  filters,
  launchKind,
}: Partial<Record<string, unknown>>) {
  return withoutUndefined({
    available: typeof available === "boolean" ? available : undefined,
    sort: ALL_SORT_KEYS.find((key) => key === sort),
    order: SORT_ORDERS.find((key) => key === order),
    hiddenColumns: Array.isArray(hiddenColumns)
      ? HIDEABLE_COLUMNS.filter((column) => hiddenColumns.includes(column))
      : undefined,
    launchKind: LAUNCH_KINDS.find((kind) => kind === launchKind),
    filters: Array.isArray(filters)
      ? filters.filter((text) => typeof text === "string" && text.length <= MAX_FILTER_LENGTH).slice(0, MAX_FILTERS)
      : undefined,
  });
}

/** Saves choices. If two pickers save at the same time, the last one wins. */
export function writeSavedChoices(environment: Environment, choices: Partial<SavedChoices>): void {
  const folder = userFolder(environment, "XDG_STATE_HOME");
  if (folder === undefined) {
    return;
  }
  const path = join(folder, FILE);
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(temporary, `${JSON.stringify({ ...readSavedChoices(environment), ...choices })}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // The state folder is not writable, so nothing is saved.
  }
}
