import { Argument, type Command, type Option } from "commander";
import { addUsage } from "./command-usage.js";
import { PROGRAM_NAME } from "./invocation.js";
import { printText } from "./output.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** `completion`: prints a shell script that completes commands, options and their values. */
export function addCompletion(program: Command): void {
  addUsage(
    program
      .command("completion")
      .description("Print a shell completion script")
      .addArgument(new Argument("<shell>", "name of the shell").choices(SHELLS)),
    {
      notes: "Add the line for your shell to its startup file.",
      examples: [
        'eval "$(gpu-offers-admin completion bash)"',
        "source <(gpu-offers-admin completion zsh)",
        "gpu-offers-admin completion fish | source",
      ],
    },
  ).action((shell: Shell) => printText(SCRIPTS[shell](program)));
}

/** A position on the command line: the words before it, and the words that may follow. */
interface Place {
  /** Words of the command, such as `catalog import`; empty for the program itself. */
  path: string;
  command: Command;
}

function places(command: Command, path: string[] = []): Place[] {
  return [
    { path: path.join(" "), command },
    ...command.commands.flatMap((child) => places(child, [...path, child.name()])),
  ];
}

const SCRIPTS: Readonly<Record<Shell, (program: Command) => string>> = {
  bash: (program) => `# bash completion for ${PROGRAM_NAME}
_gpu_offers_admin() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" one
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$one" in
${places(program)
  .filter(({ path }) => path !== "")
  .map(({ path }) => `      "${path}") path="${path}" ;;`)
  .join("\n")}
    esac
  done
  case "$path $previous" in
${places(program)
  .flatMap(({ path, command }) => command.options.map((option) => ({ path, option })))
  .filter(({ option }) => takesValue(option))
  .map(({ path, option }) => `    "${path} ${option.long}") COMPREPLY=($(${bashValues(option)} -- "$word")); return ;;`)
  .join("\n")}
  esac
  case "$path" in
${places(program)
  .map(
    ({ path, command }) =>
      `    "${path}") COMPREPLY=($(compgen ${takesFile(command) ? "-f " : ""}-W "${wordsAt(command).join(" ")}" -- "$word")) ;;`,
  )
  .join("\n")}
  esac
}
complete -o filenames -F _gpu_offers_admin ${PROGRAM_NAME}
`,
  zsh: (program) => `#compdef ${PROGRAM_NAME}
_gpu_offers_admin() {
  local command_path="" one
  for one in "\${(@)words[2,CURRENT-1]}"; do
    case "\${command_path:+$command_path }$one" in
${places(program)
  .filter(({ path }) => path !== "")
  .map(({ path }) => `      "${path}") command_path="${path}" ;;`)
  .join("\n")}
    esac
  done
  case "$command_path \${words[CURRENT-1]}" in
${places(program)
  .flatMap(({ path, command }) => command.options.map((option) => ({ path, option })))
  .filter(({ option }) => takesValue(option))
  .map(({ path, option }) => `    "${path} ${option.long}") ${zshValues(option)}; return ;;`)
  .join("\n")}
  esac
  local -a found
  case "$command_path" in
${places(program)
  .map(
    ({ path, command }) =>
      `    "${path}") found=(${describedWords(command)
        .map(([word, text]) => `'${word}:${plain(text)}'`)
        .join(" ")})${takesFile(command) ? "; _files" : ""} ;;`,
  )
  .join("\n")}
  esac
  _describe '${PROGRAM_NAME}' found
}
compdef _gpu_offers_admin ${PROGRAM_NAME}
`,
  fish: (program) => `# fish completion for ${PROGRAM_NAME}
complete -c ${PROGRAM_NAME} -f
${places(program)
  .flatMap((place) => fishLines(place).map((line) => `complete -c ${PROGRAM_NAME}${fishCondition(place)} ${line}`))
  .join("\n")}
`,
};

/** What fish may complete at a place, without the condition that it is there. */
function fishLines({ command }: Place): string[] {
  const children = command.commands.map((child) => `-a ${child.name()} -d '${plain(child.description())}'`);
  const options = command.options.map(
    (option) => `-l ${option.long?.slice(2)}${fishValues(option)} -d '${plain(option.description)}'`,
  );
  const choices = command.registeredArguments.flatMap(({ argChoices }) =>
    argChoices === undefined ? [] : `-a '${argChoices.join(" ")}'`,
  );
  return children.concat(options, choices, takesFile(command) ? ["-F"] : []);
}

/** The words of the path have been seen, and none that would lead deeper. */
function fishCondition({ path, command }: Place): string {
  const names = command.commands.map((child) => child.name());
  const seen = path.split(" ").flatMap((word) => (word === "" ? [] : `__fish_seen_subcommand_from ${word}`));
  const deeper = names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(" ")}`];
  const condition = seen.concat(deeper).join("; and ");
  return condition === "" ? "" : ` -n '${condition}'`;
}

function describedWords(command: Command): [word: string, description: string][] {
  return [
    ...command.commands.map((child): [string, string] => [child.name(), child.description()]),
    ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((choice): [string, string] => [choice, description]),
    ),
    ...command.options.map((option): [string, string] => [option.long ?? "", option.description]),
    ["--help", "display help for command"],
  ];
}

function wordsAt(command: Command): string[] {
  return describedWords(command).map(([word]) => word);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** Names of files are written `<file>` in the help. */
function takesFile(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.name() === "file");
}

function isFile(option: Option): boolean {
  return option.flags.includes("<file>");
}

function bashValues(option: Option): string {
  return isFile(option) ? "compgen -f" : `compgen -W "${(option.argChoices ?? []).join(" ")}"`;
}

function zshValues(option: Option): string {
  return isFile(option)
    ? "_files"
    : option.argChoices === undefined
      ? "_message value"
      : `compadd ${option.argChoices.join(" ")}`;
}

function fishValues(option: Option): string {
  if (!takesValue(option)) {
    return "";
  }
  return isFile(option)
    ? " -rF"
    : ` -x${option.argChoices === undefined ? "" : ` -a '${option.argChoices.join(" ")}'`}`;
}

/** A description without characters that a shell would read. */
function plain(text: string): string {
  return text.replaceAll(/['"`[\]:$\\]/g, "");
}
