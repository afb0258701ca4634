import { builtProgram, startCommand, type Ended as EndedProcess } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// The built program as a process, without any terminal.

/** The bundle that is run. */
export const PROGRAM = builtProgram("apps/tui/dist/gpu-offers.js");

/** How a process ended, and all that it printed. */
export type Ended = Omit<EndedProcess, "signal">;

/**
 * Runs the program to its end, in a session of its own so that it finds no terminal. It sees the settings, and a folder
 * for compiled code.
 */
export async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { code, stdout, stderr } = await startCommand(
    process.execPath,
    [PROGRAM, ...args],
    { XDG_CONFIG_HOME: tempFolder(), ...settings },
    { hasOwnSession: true },
  ).ended;
  return { code, stdout, stderr };
}
