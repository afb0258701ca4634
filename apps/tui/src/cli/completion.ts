import { CONTINENTS, gpuModels } from "@gpu-offers/domain";
import type { Command, Option } from "commander";
import type { ValueKind } from "./completion-values.js";

// Completion scripts, generated from the commands, so that they are always up to date.

/** Supported shells. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/** The script of a shell. */
export function completionScript(shell: Shell, program: Command): string {
  switch (shell) {
    case "bash":
      return bashScript(program);
    case "zsh":
      return zshScript(program);
    case "fish":
      return fishScript(program);
  }
}

const NAME = "gpu-offers";

/** A command that lists values of the catalog, one per line, with a short timeout. */
const valuesOf = (kind: ValueKind): string => `${NAME} complete ${kind} 2>/dev/null`;

/** Values of the first argument of commands. */
const ARGUMENT_VALUES = { images: "provider", show: "id", compare: "id", launch: "id" } as const;

/** Completion words for values of flags: GPU names, continents, and the catalog's providers. */
const FLAG_VALUES: Readonly<Record<string, string>> = {
  "--gpu": [...new Set(gpuModels.flatMap(({ family, slug }) => [family, slug]))].sort().join(" "),
  "--continent": CONTINENTS.map((name) => name.toLowerCase().replaceAll(" ", "-")).join(" "),
  "--provider": `$(${valuesOf("provider")})`,
  "--country": `$(${valuesOf("country")})`,
  "--region": `$(${valuesOf("region")})`,
  "--image": `$(${valuesOf("image")})`,
  "--os": `$(${valuesOf("os")})`,
  "--id": `$(${valuesOf("id")})`,
};

function visible(program: Command): Command[] {
  return program.createHelp().visibleCommands(program);
}

function longNames(program: Command): string[] {
  return [...program.options.map(({ long }) => long ?? ""), "--help"];
}

function withChoices(program: Command): Option[] {
  return program.options.filter(({ argChoices }) => argChoices !== undefined);
}

function bashScript(program: Command): string {
  const words = [...visible(program).map((command) => command.name()), ...longNames(program)].join(" ");
  const cases = withChoices(program).map(
    ({ long, argChoices = [] }) =>
      `    ${long}) COMPREPLY=($(compgen -W "${argChoices.join(" ")}" -- "$word")); return ;;`,
  );
  const values = Object.entries(FLAG_VALUES).map(
    ([long, completed]) =>
      // After a comma, the next value of a list.
      `    ${long}) COMPREPLY=($(compgen -P "$before" -W "${completed}" -- "\${word##*,}")); return ;;`,
  );
  const free = program.options
    .filter(({ long = "", required, argChoices }) => required && argChoices === undefined && !(long in FLAG_VALUES))
    .map(({ long }) => long)
    .filter((long) => long !== "--catalog");
  return `# bash completion of ${NAME}: eval "$(${NAME} completion bash)"
_gpu_offers() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before=""
  [[ $word == *,* ]] && before="\${word%,*},"
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${[...cases, ...values].join("\n")}
    --catalog) COMPREPLY=($(compgen -f -- "$word")); return ;;
    ${free.join("|")}) return ;;
  esac
  [[ $word == -* || $COMP_CWORD -eq 1 ]] || case "\${COMP_WORDS[1]}" in
    completion) COMPREPLY=($(compgen -W "${SHELLS.join(" ")}" -- "$word")); return ;;
${Object.entries(ARGUMENT_VALUES)
  .map(([name, kind]) => `    ${name}) COMPREPLY=($(compgen -W "$(${valuesOf(kind)})" -- "$word")); return ;;`)
  .join("\n")}
  esac
  COMPREPLY=($(compgen -W "${words}" -- "$word"))
}
complete -F _gpu_offers ${NAME}
`;
}

function zshScript(program: Command): string {
  const options = program.options.map((option) => {
    const value = option.required ? `:value:${zshValues(option)}` : "";
    return `    '${option.long}[${plain(option.description)}]${value}'`;
  });
  const commands = visible(program).map((command) => `${command.name()}\\:"${plain(command.description())}"`);
  return `#compdef ${NAME}
# zsh completion of ${NAME}: source <(${NAME} completion zsh)
_gpu_offers_argument() {
  case $words[1] in
    completion) compadd ${SHELLS.join(" ")} ;;
${Object.entries(ARGUMENT_VALUES)
  .map(([name, kind]) => `    ${name}) compadd -- \${(f)"$(${valuesOf(kind)})"} ;;`)
  .join("\n")}
  esac
}
_gpu_offers() {
  _arguments -s \\
${options.map((line) => `${line} \\`).join("\n")}
    '1:command:((${commands.join(" ")}))' \\
    '*::argument:_gpu_offers_argument'
}
compdef _gpu_offers ${NAME}
`;
}

function zshValues({ long, argChoices }: Option): string {
  const completed = FLAG_VALUES[long ?? ""];
  if (completed !== undefined) {
    const values = completed.startsWith("$") ? `\${(f)"${completed}"}` : completed;
    return `{compset -P "*,"; compadd -- ${values}}`;
  }
  return argChoices === undefined ? (long === "--catalog" ? "_files" : " ") : `(${argChoices.join(" ")})`;
}

function fishScript(program: Command): string {
  const commands = visible(program).map(
    (command) =>
      `complete -c ${NAME} -n __fish_use_subcommand -f -a ${command.name()} -d '${plain(command.description())}'`,
  );
  const options = program.options.map((option) => {
    const completed = FLAG_VALUES[option.long ?? ""];
    const values =
      completed !== undefined
        ? ` -f -a '${fishList(completed)}'`
        : option.argChoices === undefined
          ? option.long === "--catalog"
            ? " -F"
            : ""
          : ` -f -a '${option.argChoices.join(" ")}'`;
    return `complete -c ${NAME} -l ${option.long?.slice(2)}${option.required ? " -r" : ""}${values} -d '${plain(option.description)}'`;
  });
  const after = (command: string, words: string): string =>
    `complete -c ${NAME} -n '__fish_seen_subcommand_from ${command}' -f -a '${words}'`;
  const values = [
    after("completion", SHELLS.join(" ")),
    ...Object.entries(ARGUMENT_VALUES).map(([name, kind]) => after(name, `(${valuesOf(kind)})`)),
  ];
  const lines = [`complete -c ${NAME} -f`, ...commands, ...options, ...values];
  return `# fish completion of ${NAME}: ${NAME} completion fish | source\n${lines.join("\n")}\n`;
}

/** Values of a list in fish: after a comma, the next one. */
function fishList(completed: string): string {
  const [, command] = /^\$\((.*)\)$/.exec(completed) ?? [];
  return `(__fish_complete_list , "${command ?? `string split \\" \\" \\"${completed}\\"`}")`;
}

/** A description without characters that are special in shells: quotes, brackets, colons. */
function plain(text: string): string {
  return text.replaceAll(/['"`[\]:$\\]/g, "");
}
