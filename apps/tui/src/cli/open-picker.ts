import type { ListingQuery } from "@gpu-offers/domain";
import { HIDDEN_AT_FIRST } from "@gpu-offers/list";
import type { PickOutcome, PickRequest, SavedChoices } from "../picker/pick-request.js";
import { openTerminal } from "../screen/terminal.js";
import type { Flags } from "./flags.js";
import { readSavedChoices, writeSavedChoices } from "./state-file.js";
import { createSlowNotifier, fetchBefore, openSource } from "./source-choice.js";
import { checkNames, resolveQuery } from "./resolve-query.js";
import type { Settings } from "./settings.js";
import { withoutUndefined } from "./given.js";

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
  const kept = readSavedChoices(process.env);
  // One source for both, because standard input can only be read once.
  let isDrawn = false;
  const onSlow = createSlowNotifier((text) => !isDrawn && notify(text), settings);
  const environment = process.env;
  const source = await openSource(flags, settings, { environment, retries: 0, onSlow });
  // There an image preselects and doesn't filter.
  const query = { ...resolveQuery(flags, settings, notify), image: undefined };
  const images = await checkNames(query, { source, notify });
  const request: Omit<PickRequest, "source"> = {
    query: withKept(query, flags, kept),
    imageId: flags.image,
    images,
    hiddenColumns: kept.hiddenColumns ?? settings.hiddenColumns ?? HIDDEN_AT_FIRST,
    history: kept.filters,
    launchKind: kept.launchKind,
    isText: process.stdout.isTTY && flags.format === undefined,
    isLive: flags.live === true,
    save: (choices) => writeSavedChoices(process.env, choices),
  };
  if (flags.accessible === true || settings.accessible === true || process.env["TERM"] === "dumb") {
    const { pickByPrompts } = await import("../prompts/prompts.js");
    await fetchBefore(source, flags, notify);
    return pickByPrompts({
      ...request,
      source: flags.catalog === undefined ? await openSource(flags, settings, { environment, onSlow }) : source,
    });
  }
  const terminal = openTerminal();
  // From now on the screen shows the progress of loading.
  isDrawn = true;
  const { pickOnScreen } = await import("../screen/pick.js");
  return pickOnScreen({ ...request, source }, terminal);
}

/** The query of the command line, completed by saved choices. */
function withKept(query: ListingQuery, flags: Flags, { available, sort, order }: Partial<SavedChoices>): ListingQuery {
  return withoutUndefined({
    ...query,
    available: flags.available ?? (available === true ? true : undefined),
    sort_by: flags.sort ?? sort ?? query.sort_by,
    sort_order: flags.order ?? (flags.sort === undefined ? order : undefined) ?? query.sort_order,
  });
}
