import type { Command, Option } from "commander";
import { EXIT_MEANINGS } from "../exit-codes.js";
import { EXAMPLES } from "./examples.js";

// The manual page, generated from the commands, so that it is always up to date.

/** The page in the language of man(7). */
export function manPage(program: Command, version: string): string {
  const help = program.createHelp();
  const entriesOf = (options: readonly Option[]): string[] =>
    options.map((option) => entry(option.flags, help.optionDescription(option)));
  const commands = help.visibleCommands(program).flatMap((command) => {
    const options = entriesOf(command.options);
    const nested = options.length === 0 ? [] : [".RS", ...options, ".RE"];
    return [entry(commandTerm(command), command.description())].concat(nested);
  });
  const groups = Map.groupBy(help.visibleOptions(program), ({ helpGroupHeading }) => helpGroupHeading ?? "General:");
  const options = [...groups].flatMap(([heading, members]) =>
    [`.SS ${text(heading.replace(/:$/, ""))}`].concat(entriesOf(members)),
  );
  return [
    `.TH GPU\\-OFFERS 1 "" "gpu\\-offers ${text(version)}" "User Commands"`,
    `.SH NAME\ngpu\\-offers \\- find a rentable GPU instance in the terminal`,
    ".SH SYNOPSIS",
    ".B gpu\\-offers\n[\\fIoptions\\fR] [\\fIcommand\\fR]",
    `.SH DESCRIPTION\n${text(program.description())}`,
    text("Without a command, gpu-offers opens the picker. --first, --list, --watch and --id print results without it."),
    ".SH OPTIONS",
    ...options,
    ".SH COMMANDS",
    ...commands,
    ".SH EXAMPLES",
    ...EXAMPLES.map(([line, purpose]) => entry(line, purpose)),
    ".SH EXIT STATUS",
    ...EXIT_MEANINGS.map(([code, meaning]) => entry(code, meaning)),
    ".SH ENVIRONMENT",
    entry("GPU_OFFERS_URL", "address of the service"),
    entry("GPU_OFFERS_API_KEY", "API key, also used to show your credit"),
    entry("NO_COLOR, FORCE_COLOR", "turn colors off or on"),
    entry("ACCESSIBLE", "if 1, use numbered prompts instead of the UI"),
    ".SH FILES",
    entry("$XDG_CONFIG_HOME/gpu-offers/config.json", "defaults; ~/.config is used if the variable is unset"),
    "",
  ].join("\n");
}

function commandTerm(command: Command): string {
  const words = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...words].join(" ");
}

function entry(term: string, description: string): string {
  return `.TP\n\\fB${text(term)}\\fR\n${text(description)}`;
}

/** Escapes text for roff, so that nothing in it is a request or an escape. */
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");
}
