import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { exitCodeOf, lineOf } from "../src/cli/errors.ts";
import { createProgram } from "../src/cli/program.ts";
import type { Ended } from "./program.ts";

/**
 * Runs a command line like the built program, but in this process, which takes a tenth of the processor time. It sees only
 * the settings. It can't open the picker.
 */
export async function runInProcess(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const printed = { stdout: "", stderr: "" };
  const print = (text: string): void => void (printed.stdout += text);
  const notify = (message: string): void => void (printed.stderr += lineOf(message));
  const program = createProgram({
    environment: { XDG_CONFIG_HOME: tempFolder(), ...settings },
    print,
    notify,
    pick: () => Promise.reject(new Error("The picker was opened.")),
  });
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: print, writeErr: () => {} });
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return { code: 0, ...printed };
  } catch (error) {
    return { code: exitCodeOf(error, notify), ...printed };
  }
}
