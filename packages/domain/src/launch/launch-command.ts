import type { LaunchFacts } from "./launch-facts.js";
import { blank, comment } from "./launch-text.js";
import { launchVolumes } from "./tool-names.facts.js";
import { shellWord } from "../text/shell-word.js";

// A command that launches a machine, and how its text is written.

/** A part of a command; undefined if it is left out. */
type Part = string | undefined;

type Term = "spot" | "disk" | "nodes" | "volume";

/** A way to launch the machines of one provider, with the program and the document of facts/launch-commands.csv. */
export interface LaunchCommand {
  /** What identifies the machine; default: its instance type. */
  takes?: "providerOfferId";
  /** Only for these types; all if undefined. */
  types?: RegExp;
  /** The parts of the command, each on a line. */
  text: (facts: LaunchFacts) => readonly Part[];
  /** Terms that the text itself states: that it is spot, the chosen disk, the number of machines, a volume that is there before. */
  inText?: readonly Term[];
  /** The option for several machines, which ends the text; then those for a disk and for spot terms. */
  nodes?: string;
  disk?: (diskGb: number, facts: LaunchFacts) => string;
  spot?: (facts: LaunchFacts) => Part;
  /** Set if the text is a YAML file, not a command of a shell. */
  isFile?: true;
  /** What to do before, each a line: prose without marks that a shell reads, and commands. */
  before?: (facts: LaunchFacts) => readonly string[];
  /** The command that ends the machine and its costs. */
  stop: (facts: LaunchFacts) => string;
}

/** Whether a command can state a term. */
export function canState(term: Exclude<Term, "volume">, launcher: LaunchCommand): boolean {
  return launcher[term] !== undefined || launcher.inText?.includes(term) === true;
}

/** The whole text of a command. Everything that isn't the command is a comment. */
export function commandText(launcher: LaunchCommand, facts: LaunchFacts): string {
  const { isFile = false } = launcher;
  const { diskGb, addedGb, nodes, login } = facts;
  const volume = canState("disk", launcher) ? undefined : volumeOf(facts);
  const isVolumeFirst = launcher.inText?.includes("volume") === true;
  const parts = [
    ...launcher.text(facts),
    nodes > 1 && launcher.nodes !== undefined ? `${launcher.nodes} ${nodes}` : undefined,
    diskGb === undefined ? undefined : launcher.disk?.(diskGb, facts),
    facts.isSpot ? launcher.spot?.(facts) : undefined,
  ];
  const remarks = [
    ...(isFile ? [] : ["For bash, zsh or sh"]),
    ...(launcher.before?.(facts) ?? []),
    ...(diskGb === undefined || canState("disk", launcher) || volume !== undefined
      ? []
      : addedGb === undefined
        ? [`This request has no disk of ${diskGb} GB: add it afterwards.`]
        : [`The disk is the included one and a volume of ${addedGb} GB: add it afterwards.`]),
    ...(nodes > 1 && !canState("nodes", launcher) ? [`Send it ${nodes} times: one machine each.`] : []),
  ];
  const adding = volume === undefined ? [] : [comment("Its volume:"), ...volume.add];
  return [
    ...remarks.map(comment),
    ...(isVolumeFirst ? adding : []),
    parts.filter((part) => part !== undefined).join(isFile ? "\n" : LINE_END),
    ...(isVolumeFirst ? [] : adding),
    ...(login === undefined ? [] : [comment(`To log in: ssh ${login}@${blank("ip")}`)]),
    comment("To stop it and its costs:"),
    comment(launcher.stop(facts)),
    ...(volume === undefined ? [] : [comment(volume.remove)]),
  ].join("\n");
}

/** The commands of the volume; undefined if there is none, or if no document has them. */
function volumeOf({ provider, region, volumeGb }: LaunchFacts) {
  const row = volumeGb === undefined ? undefined : launchVolumes.get(provider);
  const fill = (template: string) =>
    template
      .replaceAll("{gb}", String(volumeGb))
      .replaceAll('"{region}"', () => JSON.stringify(region ?? blank("region")).replaceAll("'", `'\\''`))
      .replaceAll("{region}", () => wordOr(region, "region"))
      .replaceAll(/<([\w-]+)>/g, (_, name: string) => blank(name));
  return (
    row && { add: [row.create, ...(row.attach === undefined ? [] : [row.attach])].map(fill), remove: fill(row.remove) }
  );
}

/** Between the lines of one command. */
const LINE_END = " \\\n  ";

/** A request with a JSON body, without the members that are undefined. */
export function post(url: string, header: string, body: Readonly<Record<string, unknown>>, method = "POST"): string {
  const json = JSON.stringify(body, undefined, 2);
  return [
    `curl -X ${method} ${shellWord(url)}`,
    `-H ${shellWord(header)}`,
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(json)}`,
  ].join(LINE_END);
}

/** A request without a body. */
export function request(method: "DELETE" | "POST" | "GET", url: string, header: string): string {
  return `curl -X ${method} ${shellWord(url)} -H ${shellWord(header)}`;
}

/** A value as a word of a shell, or a placeholder if it is unknown. */
export function wordOr(value: string | undefined, placeholder: string): string {
  return value === undefined ? blank(placeholder) : shellWord(value);
}
