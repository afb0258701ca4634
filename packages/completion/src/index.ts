import type { Command } from "commander";

/** Values of an option or an argument: words, or what reads them. Those of a list are separated by commas. */
export interface Values {
  words: readonly string[] | (() => Promise<readonly string[]>);
  isList?: boolean;
}

/** A program, and the values that its definition doesn't have. */
export interface CompletedProgram {
  program: Command;
  /** Values of some options by their long name, such as `--gpu`. */
  options?: Readonly<Record<string, Values>>;
  /** Values of the arguments of some commands by their name. */
  arguments?: Readonly<Record<string, Values>>;
}

/** In place of words: names of files may follow, which shells complete by themselves. */
const FILES = ":file";

/**
 * What may be typed for the last of some words, which follow the name of the program: commands, options or values, one
 * per line, with a description after a tab.
 */
export async function completions(completed: CompletedProgram, words: readonly string[]): Promise<string> {
  // Names are typed in lower case and in capitals.
  const start = (words.at(-1) ?? "").toLowerCase();
  const lines = await candidates(completed, words);
  return lines
    .filter((line) => line === FILES || line.toLowerCase().startsWith(start))
    .map((line) => `${line}\n`)
    .join("");
}

async function candidates(completed: CompletedProgram, words: readonly string[]): Promise<string[]> {
  const word = words.at(-1) ?? "";
  const command = words.slice(0, -1).reduce(childCalled, completed.program);
  const help = command.createHelp();
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const valued = options.find(({ long, short }) => words.length > 1 && [long, short].includes(words.at(-2)));
  if (valued?.required === true || valued?.optional === true) {
    const { long, flags, argChoices } = valued;
    return flags.includes("<file>") ? [FILES] : valuesOf(completed.options?.[long ?? ""], argChoices, word);
  }
  const described = options.map(({ long, description }) => `${long ?? ""}\t${description}`);
  if (word.startsWith("-")) {
    return described;
  }
  // Every group of commands has a help command, too.
  const commands = help
    .visibleCommands(command)
    .filter((child) => command === completed.program || child.name() !== "help")
    .map((child) => `${child.name()}\t${child.description()}`);
  const [argument] = command.registeredArguments;
  if (commands.length > 0 || argument === undefined) {
    return commands.length > 0 ? commands : described;
  }
  return argument.name() === "file"
    ? [FILES]
    : valuesOf(completed.arguments?.[command.name()], argument.argChoices, word);
}

function childCalled(command: Command, name: string): Command {
  return command.commands.find((child) => child.name() === name) ?? command;
}

/** The known values, or else those that the definition states, after the earlier ones of a list. */
async function valuesOf(
  known: Values | undefined,
  argChoices: readonly string[] | undefined,
  word: string,
): Promise<string[]> {
  const { words, isList = false } = known ?? { words: argChoices ?? [] };
  const before = isList ? word.slice(0, word.lastIndexOf(",") + 1) : "";
  const all = typeof words === "function" ? await words() : words;
  return all.map((value) => before + value);
}

/** Supported shells. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

/**
 * The script that completes a program in a shell. It runs `<name> complete -- <words>`, which prints the
 * {@link completions}.
 */
export function completionScript(shell: Shell, name: string): string {
  return SCRIPTS[shell](name, `_${name.replaceAll("-", "_")}`);
}

const SCRIPTS: Readonly<Record<Shell, (name: string, functionName: string) => string>> = {
  bash: (name, functionName) => `# bash completion of ${name}: eval "$(${name} completion bash)"
${functionName}() {
  local IFS=$'\\n' found
  found=$(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  if [[ $found == ${FILES} ]]; then
    found=$(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
  COMPREPLY=($found)
}
complete -o filenames -F ${functionName} ${name}
`,
  zsh: (name, functionName) => `#compdef ${name}
# zsh completion of ${name}: source <(${name} completion zsh)
${functionName}() {
  local -a found
  found=(\${(f)"$(${name} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ $found == ${FILES} ]]; then
    _files
  else
    found=("\${(@)found//:/\\\\:}")
    found=("\${(@)found/$'\\t'/:}")
    _describe '${name}' found -M 'm:{a-zA-Z}={A-Za-z}'
  fi
}
compdef ${functionName} ${name}
`,
  fish: (name, functionName) => `# fish completion of ${name}: ${name} completion fish | source
function _${functionName}
  set -l word (commandline -ct)
  set -l found (${name} complete -- (commandline -opc)[2..] "$word" 2>/dev/null)
  if test "$found" = ${FILES}
    __fish_complete_path "$word"
  else
    printf '%s\\n' $found
  end
end
complete -c ${name} -f -a '(_${functionName})'
`,
};
