import type { PickOutcome, PickRequest } from "../picker/pick-request.js";
import { openTerminal } from "../screen/terminal.js";
import { queryOf, type Flags } from "./flags.js";
import { openSource } from "./program.js";
import { resolveNames } from "./named-filters.js";
import type { Settings } from "./settings.js";

/**
 * Opens the picker in the way that suits the terminal. The modules that draw are loaded only now: they take longer to
 * load than everything else together, and scripts do without them.
 * @throws Failure when there is no terminal.
 */
export async function openPicker(flags: Flags, settings: Settings, tell: (text: string) => void): Promise<PickOutcome> {
  // One source for both: standard input can be read once.
  const source = openSource(flags, settings, { retries: 0 });
  const named = await resolveNames(flags, { source, tell, isScreen: true });
  const request: Omit<PickRequest, "source"> = {
    query: queryOf(flags, settings, named),
    imageId: flags.image,
    hiddenColumns: settings.hiddenColumns,
  };
  if (flags.accessible === true || settings.accessible === true || process.env["TERM"] === "dumb") {
    const { pickByPrompts } = await import("../prompts/prompts.js");
    return pickByPrompts({ ...request, source: flags.catalog === undefined ? openSource(flags, settings) : source });
  }
  const terminal = openTerminal();
  const { pickOnScreen } = await import("../screen/pick.js");
  return pickOnScreen({ ...request, source }, terminal);
}
