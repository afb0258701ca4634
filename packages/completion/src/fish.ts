import {
  globalOptions,
  places,
  type CompletedOption,
  type CompletedProgram,
  type Place,
  type Values,
} from "./places.js";

/** The script of a program for fish. */
export function fishScript(completed: CompletedProgram): string {
  const { name } = completed;
  const lines = [...globalOptions(completed).map(optionLine), ...places(completed).flatMap(fishLines)];
  return `# fish completion of ${name}: ${name} completion fish | source
complete -c ${name} -f
${lines.map((line) => `complete -c ${name}${line}`).join("\n")}
`;
}

function fishLines({ path, commands, options, argument }: Place): string[] {
  const seen = path.split(" ").flatMap((word) => (word === "" ? [] : `__fish_seen_subcommand_from ${word}`));
  const names = commands.map(({ word }) => word).join(" ");
  const here = names === "" ? seen : [...seen, `not __fish_seen_subcommand_from ${names}`];
  return [
    ...commands.map(({ word, text }) => `${condition(here)} -a ${word} -d '${text}'`),
    ...options.map((option) => condition(seen) + optionLine(option)),
    ...(argument === undefined ? [] : [`${condition(here)}${accepted(argument)}`]),
  ];
}

function optionLine({ word, text, takesValue, values }: CompletedOption): string {
  const value = takesValue ? (values === undefined ? " -x" : ` -r${accepted(values)}`) : "";
  return ` -l ${word.slice(2)}${value} -d '${text}'`;
}

function condition(terms: readonly string[]): string {
  return terms.length === 0 ? "" : ` -n '${terms.join("; and ")}'`;
}

function accepted(values: Values): string {
  if (values.kind === "file") {
    return " -F";
  }
  if (values.isList !== true) {
    return ` -f -a '${values.kind === "words" ? values.words.join(" ") : `(${values.command})`}'`;
  }
  // After a comma, the next value of the list.
  const printed = values.kind === "words" ? `string split \\" \\" \\"${values.words.join(" ")}\\"` : values.command;
  return ` -f -a '(__fish_complete_list , "${printed}")'`;
}
