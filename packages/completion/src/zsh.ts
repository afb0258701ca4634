import { identifier, lines } from "./bash.js";
import {
  globalOptions,
  places,
  type CompletedOption,
  type CompletedProgram,
  type Described,
  type Values,
} from "./places.js";

/** The script of a program for zsh. */
export function zshScript(completed: CompletedProgram): string {
  const { name } = completed;
  const all = places(completed);
  const everywhere = globalOptions(completed);
  return `#compdef ${name}
# zsh completion of ${name}: source <(${name} completion zsh)
_${identifier(name)}() {
  local command_path="" one
  local -a found
  for one in "\${(@)words[2,CURRENT-1]}"; do
    case "\${command_path:+$command_path }$one" in
${lines(
  all.flatMap(({ path }) => (path === "" ? [] : [`"${path}") command_path="${path}" ;;`])),
  6,
)}
    esac
  done
  case "$command_path \${words[CURRENT-1]}" in
${lines([
  ...all.flatMap(({ path, options }) => valueCases(options, (word) => `"${path} ${word}"`)),
  ...valueCases(everywhere, (word) => `*" ${word}"`),
])}
  esac
  case "$command_path" in
${lines(
  all.flatMap(({ path, commands, options, argument }) => [
    `"${path}") found=(${described([...commands, ...options])})${
      argument === undefined ? "" : `; [[ \${words[CURRENT]} == -* ]] || { ${action(argument)}; }`
    } ;;`,
  ]),
)}
  esac
  found+=(${described(everywhere)})
  _describe '${name}' found
}
compdef _${identifier(name)} ${name}
`;
}

function valueCases(options: readonly CompletedOption[], pattern: (word: string) => string): string[] {
  return options.flatMap(({ word, takesValue, values }) =>
    takesValue ? [`${pattern(word)}) ${values === undefined ? "_message value" : action(values)}; return ;;`] : [],
  );
}

function described(words: readonly Described[]): string {
  return words.map(({ word, text }) => `'${word}:${text}'`).join(" ");
}

function action(values: Values): string {
  if (values.kind === "file") {
    return "_files";
  }
  const known = values.kind === "words" ? values.words.join(" ") : `\${(f)"$(${values.command})"}`;
  return `${values.isList === true ? 'compset -P "*,"; ' : ""}compadd -- ${known}`;
}
