import { completions, completionScript, SHELLS, type Shell } from "@gpu-offers/completion";
import { Argument } from "commander";
import { printText, type AdminCommand } from "./command.js";
import { PROGRAM_NAME } from "./invocation.js";

/** `completion`: prints a shell script that completes commands, options and their values; and what that calls. */
export function addCompletion(program: AdminCommand): void {
  program
    .command("completion")
    .description("Print a shell completion script")
    .addArgument(new Argument("<shell>", "name of the shell").choices(SHELLS))
    .notes("Add the line for your shell to its startup file.")
    .examples(
      'eval "$(gpu-offers-admin completion bash)"',
      "source <(gpu-offers-admin completion zsh)",
      "gpu-offers-admin completion fish | source",
    )
    .action((shell: Shell) => printText(completionScript(shell, PROGRAM_NAME)));
  program
    .command("complete", { hidden: true })
    .description("Print what completion scripts offer")
    .argument("[words...]", "words after the name of the program, the last of which is completed")
    .action(async (words: string[]) => printText(await completions({ program }, words)));
}
