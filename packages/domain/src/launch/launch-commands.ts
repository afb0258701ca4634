import type { LaunchCommand } from "./launch-command.js";
import { REQUEST_COMMANDS } from "./launch-requests.js";
import { TOOL_COMMANDS } from "./launch-tools.js";

/** Every command; a provider may have several, each for some of its types. */
export const LAUNCH_COMMANDS: readonly LaunchCommand[] = [...REQUEST_COMMANDS, ...TOOL_COMMANDS];
