import { bashScript } from "./bash.js";
import { fishScript } from "./fish.js";
import type { CompletedProgram } from "./places.js";
import { zshScript } from "./zsh.js";

export type { CompletedProgram, Values } from "./places.js";

/** Supported shells. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, (program: CompletedProgram) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script that completes a program in a shell: its commands, options and their values. */
export function completionScript(shell: Shell, program: CompletedProgram): string {
  return SCRIPTS[shell](program);
}
