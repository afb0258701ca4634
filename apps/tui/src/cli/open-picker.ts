import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ALL_SORT_KEYS, SORT_ORDERS, type ListingQuery } from "@gpu-offers/domain";
import { LAUNCH_KINDS } from "@gpu-offers/domain/launching";
import { HIDDEN_AT_FIRST, HIDEABLE_COLUMNS } from "@gpu-offers/list";
import type { PickOutcome, PickRequest, SavedChoices } from "../picker/pick-request.js";
import { openTerminal } from "../screen/terminal.js";
import { userFolder } from "../user-folder.js";
import { withoutUndefined, type Flags } from "./flags.js";
import { fetchBefore, openSource } from "./source-choice.js";
import { checkNames, resolveQuery } from "./resolve-query.js";
import type { Settings } from "./settings.js";

/**
 * Opens the picker as suits the terminal. The UI modules are loaded lazily: they take longer to load than everything else
 * together, and scripts don't need them.
 * @throws Failure if there is no terminal.
 */
export async function openPicker(
  flags: Flags,
  settings: Settings,
  notify: (text: string) => void,
): Promise<PickOutcome> {
  const kept = readSavedChoices();
  const isLines = flags.accessible === true || settings.accessible === true || process.env["TERM"] === "dumb";
  let isDrawn = false;
  const source = await openSource(flags, settings, {
    environment: process.env,
    notify: (text) => !isDrawn && notify(text),
    // The screen waits and retries by itself.
    retries: isLines ? undefined : 0,
  });
  // There an image preselects and doesn't filter.
  const query = { ...resolveQuery(flags, settings, notify), image: undefined };
  const images = await checkNames(query, source, notify);
  const request: PickRequest = {
    ...kept,
    source,
    query: withKept(query, flags, kept),
    imageId: flags.image,
    images,
    hiddenColumns: kept.hiddenColumns ?? settings.hiddenColumns ?? HIDDEN_AT_FIRST,
    isText: process.stdout.isTTY && flags.format === undefined,
    isLive: flags.live === true,
    save: writeSavedChoices,
  };
  if (isLines) {
    const { pickByPrompts } = await import("../prompts/prompts.js");
    await fetchBefore(source, flags, notify);
    return pickByPrompts(request);
  }
  const terminal = openTerminal();
  // From now on the screen shows the progress of loading.
  isDrawn = true;
  const { pickOnScreen } = await import("../screen/pick.js");
  return pickOnScreen(request, terminal);
}

function withKept(query: ListingQuery, flags: Flags, { available, sort, order }: Partial<SavedChoices>): ListingQuery {
  return withoutUndefined({
    ...query,
    available: flags.available ?? (available === true ? true : undefined),
    sort_by: flags.sort ?? sort ?? query.sort_by,
    sort_order: flags.order ?? (flags.sort === undefined ? order : undefined) ?? query.sort_order,
  });
}

// Choices that are kept between starts of the picker. They are a convenience: if the file can't be read or written, it is
// ignored.

/** `gpu-offers/state.json` in XDG_STATE_HOME or ~/.local/state. */
function stateFile(): string | undefined {
  const folder = userFolder(process.env, "XDG_STATE_HOME");
  return folder && join(folder, "state.json");
}

function readSavedChoices(): Partial<SavedChoices> {
  try {
    const text = readFileSync(stateFile() ?? "", "utf8");
    return validChoices(JSON.parse(text) as Partial<Record<string, unknown>>);
  } catch {
    return {};
  }
}

const MAX_FILTERS = 50;
const MAX_FILTER_LENGTH = 200;

/** The valid choices of a file, which another version may have written. A schema would take 10 ms to load. */
function validChoices(kept: Partial<Record<string, unknown>>) {
  const { available, sort, order, hiddenColumns, filters, launchKind } = kept;
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
function writeSavedChoices(choices: Partial<SavedChoices>): void {
  const path = stateFile();
  if (path === undefined) {
    return;
  }
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, `${JSON.stringify({ ...readSavedChoices(), ...choices })}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // The state folder is not writable, so nothing is saved.
  }
}
