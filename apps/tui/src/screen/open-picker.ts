import type { Flags } from "../cli/flags.js";
import { openSource } from "../cli/program.js";
import type { Settings } from "../cli/settings.js";
import type { Ending } from "./pick.js";
import { Terminal } from "./terminal.js";

/**
 * Opens the picker in the way that suits the terminal. What draws is loaded only now: it takes longer than everything
 * else of the start, and scripts do without it.
 * @throws Failure when there is no terminal.
 */
export async function openPicker(flags: Flags, settings: Settings): Promise<Ending> {
  if (flags.accessible === true || settings.accessible === true || process.env["TERM"] === "dumb") {
    const { pickByPrompts } = await import("./prompts.js");
    return pickByPrompts(openSource(flags, settings), flags, settings);
  }
  const terminal = new Terminal();
  const { pickOnScreen } = await import("./pick.js");
  return pickOnScreen(openSource(flags, settings, 0), { flags, settings, terminal });
}
