import type { Argument, Command, Option } from "commander";

// What may be completed where: the commands, options and values of a program, for each path of commands.

/** What may stand somewhere: words that are known, the lines that a command prints, or a file. */
export type Values =
  | { kind: "words"; words: readonly string[]; isList?: boolean }
  | { kind: "lines"; command: string; isList?: boolean }
  | { kind: "file" };

/** A program, and the values that its definition doesn't have. */
export interface CompletedProgram {
  /** Name of the installed program. */
  name: string;
  program: Command;
  /** Values of some options by their long name, such as `--gpu`. `isList` are separated by commas. */
  options?: Readonly<Record<string, Values>>;
  /** Values of the arguments of some commands by their name. */
  arguments?: Readonly<Record<string, Values>>;
}

/** A command at its place: what may follow the words before it, besides the options of the program. */
export interface Place {
  /** Words of the command, such as `catalog import`; empty for the program itself. */
  path: string;
  commands: readonly Described[];
  /** Its own options; those of the program itself may follow everywhere. */
  options: readonly CompletedOption[];
  argument: Values | undefined;
}

/** A word with its description, without characters that a shell would read. */
export interface Described {
  word: string;
  text: string;
}

/** An option. */
export interface CompletedOption extends Described {
  /** Whether a value follows. */
  takesValue: boolean;
  /** Its values; undefined if they aren't known. */
  values: Values | undefined;
}

const HELP: CompletedOption = {
  word: "--help",
  text: "display help for command",
  takesValue: false,
  values: undefined,
};

/** The options of a program, which may follow everywhere. */
export function globalOptions(completed: CompletedProgram): CompletedOption[] {
  return [...completed.program.options.map((option) => completedOption(completed, option)), HELP];
}

/** All places of a program, the program itself first. */
export function places(completed: CompletedProgram): Place[] {
  return placesBelow(completed, completed.program, [], new Set(globalOptions(completed).map(({ word }) => word)));
}

function placesBelow(
  completed: CompletedProgram,
  command: Command,
  path: readonly string[],
  global: ReadonlySet<string>,
): Place[] {
  // Every group of commands has a help command, too.
  const children = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => path.length === 0 || child.name() !== "help");
  return [
    {
      path: path.join(" "),
      commands: children.map((child) => ({ word: child.name(), text: plain(child.description()) })),
      options: command.options
        .map((option) => completedOption(completed, option))
        .filter(({ word }) => !global.has(word)),
      argument: argumentValues(completed, command),
    },
    ...children.flatMap((child) => placesBelow(completed, child, [...path, child.name()], global)),
  ];
}

function completedOption({ options = {} }: CompletedProgram, option: Option): CompletedOption {
  const word = option.long ?? "";
  return {
    word,
    text: plain(option.description),
    takesValue: option.required || option.optional,
    values: options[word] ?? statedValues(option.argChoices, option.flags.includes("<file>")),
  };
}

function argumentValues({ arguments: known = {} }: CompletedProgram, command: Command): Values | undefined {
  const [first]: readonly Argument[] = command.registeredArguments;
  return known[command.name()] ?? statedValues(first?.argChoices, first?.name() === "file");
}

/** Names of files are written `<file>` in the help. */
function statedValues(choices: readonly string[] | undefined, isFile: boolean): Values | undefined {
  return isFile ? { kind: "file" } : choices === undefined ? undefined : { kind: "words", words: choices };
}

function plain(text: string): string {
  return text.replaceAll(/['"`[\]:$\\]/g, "");
}
