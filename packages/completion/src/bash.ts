import { globalOptions, places, type CompletedOption, type CompletedProgram, type Values } from "./places.js";

/** The script of a program for bash. */
export function bashScript(completed: CompletedProgram): string {
  const { name } = completed;
  const all = places(completed);
  const everywhere = globalOptions(completed);
  return `# bash completion of ${name}: eval "$(${name} completion bash)"
_${identifier(name)}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" before="" one
  local options="${names(everywhere)}"
  # After a comma, the next value of a list.
  [[ $word == *,* ]] && before="\${word%,*},"
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$one" in
${lines(
  all.flatMap(({ path }) => (path === "" ? [] : [`"${path}") path="${path}" ;;`])),
  6,
)}
    esac
  done
  case "$path $previous" in
${lines([
  ...all.flatMap(({ path, options }) => valueCases(options, (word) => `"${path} ${word}"`)),
  ...valueCases(everywhere, (word) => `*" ${word}"`),
])}
  esac
  case "$path" in
${lines(all.flatMap(({ path, options }) => (options.length === 0 ? [] : [`"${path}") options="${names(options)} $options" ;;`])))}
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  case "$path" in
${lines(
  all.flatMap(({ path, commands, argument }) =>
    commands.length > 0
      ? [`"${path}") COMPREPLY=($(compgen -W "${names(commands)}" -- "$word")) ;;`]
      : argument !== undefined
        ? [`"${path}") ${reply(argument)} ;;`]
        : [],
  ),
)}
    *) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
  esac
}
complete -o filenames -F _${identifier(name)} ${name}
`;
}

/** The name of a shell function: without hyphens. */
export function identifier(name: string): string {
  return name.replaceAll("-", "_");
}

/** Lines, indented. */
export function lines(texts: readonly string[], indent = 4): string {
  return texts.map((line) => " ".repeat(indent) + line).join("\n");
}

const names = (words: readonly { word: string }[]): string => words.map(({ word }) => word).join(" ");

function valueCases(options: readonly CompletedOption[], pattern: (word: string) => string): string[] {
  const valued = options.filter(({ takesValue }) => takesValue);
  const free = valued.filter(({ values }) => values === undefined).map(({ word }) => pattern(word));
  return [
    ...valued.flatMap(({ word, values }) =>
      values === undefined ? [] : [`${pattern(word)}) ${reply(values)}; return ;;`],
    ),
    ...(free.length === 0 ? [] : [`${free.join("|")}) return ;;`]),
  ];
}

function reply(values: Values): string {
  if (values.kind === "file") {
    return 'COMPREPLY=($(compgen -f -- "$word"))';
  }
  const known = values.kind === "words" ? values.words.join(" ") : `$(${values.command})`;
  return values.isList === true
    ? `COMPREPLY=($(compgen -P "$before" -W "${known}" -- "\${word##*,}"))`
    : `COMPREPLY=($(compgen -W "${known}" -- "$word"))`;
}
