import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ALL_SORT_KEYS, SORT_ORDERS } from "@gpu-offers/domain";
import { HIDEABLE_COLUMNS, withoutUndefined } from "@gpu-offers/list";
import { userFolder } from "../user-folder.js";
import type { SavedChoices } from "../picker/saved-choices.js";

// Saves choices between starts of the picker, in `gpu-offers/state.json` in XDG_STATE_HOME or ~/.local/state. It is a
// convenience: if the file can't be read or written, it is ignored.

const savedChoicesSchema = z.object({
  available: z.boolean().optional().catch(undefined),
  sort: z.enum(ALL_SORT_KEYS).optional().catch(undefined),
  order: z.enum(SORT_ORDERS).optional().catch(undefined),
  hiddenColumns: z.array(z.enum(HIDEABLE_COLUMNS)).optional().catch(undefined),
  filters: z.array(z.string().max(200)).max(50).optional().catch(undefined),
});

const FILE = "state.json";

type Environment = Readonly<Record<string, string | undefined>>;

/** The saved choices. */
export function readSavedChoices(environment: Environment): Partial<SavedChoices> {
  const folder = userFolder(environment, "XDG_STATE_HOME");
  if (folder === undefined) {
    return {};
  }
  try {
    return withoutUndefined(savedChoicesSchema.parse(JSON.parse(readFileSync(join(folder, FILE), "utf8"))));
  } catch {
    return {};
  }
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
