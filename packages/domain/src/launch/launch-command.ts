import type { LaunchFacts } from "./launch-facts.js";
import { blank, comment, yamlScalar } from "./launch-text.js";
import { type launchCommands, launchVolumes } from "./tool-names.facts.js";
import { shellWord } from "../text/shell-word.js";

// A command or request that launches a machine, and how its text is written from the lines of facts/launch-lines.csv.

/** A way to launch the machines of one provider. */
export type LaunchCommand = (typeof launchCommands)[number];

type Line = readonly [line: string, needs?: string];
type Fact = string | number | boolean | null | undefined;
type Facts = Readonly<Record<string, Fact>>;

/** The facts in which a text itself may state a term of the choice. */
const STATED_AS = { spot: "isSpot", disk: "diskGb", nodes: "nodes" } as const;

/** Whether a command can state that it is spot, the chosen disk, or the number of machines. */
export function canState(term: keyof typeof STATED_AS, { lines }: LaunchCommand): boolean {
  return lines[term] !== undefined || isStated(STATED_AS[term], lines);
}

function isStated(fact: string, { text, body = [] }: LaunchCommand["lines"]): boolean {
  return [...text, ...body].some(([line, needs = ""]) => line.includes(`{${fact}`) || needs.split(" ").includes(fact));
}

/** The whole text of a command. Everything that isn't the command is a comment. */
export function commandText(launcher: LaunchCommand, choice: LaunchFacts): string {
  const { diskGb, addedGb, nodes, login } = choice;
  const { lines, types } = launcher;
  const isFile = launcher.isFile !== undefined;
  const facts: Facts = { ...choice, ...types?.exec(choice.type)?.groups };
  const written = (part: keyof typeof lines): string[] =>
    (lines[part] ?? []).flatMap((line) => filled(line, facts, isFile) ?? []);
  const volume = canState("disk", launcher) ? undefined : volumeOf(choice);
  // A volume that the text names is there before.
  const isVolumeFirst = isStated("addedGb", lines);
  const parts = [
    ...written("text"),
    ...bodyOptions(lines.body, facts),
    ...(nodes > 1 ? written("nodes") : []),
    ...(diskGb === undefined ? [] : written("disk")),
    ...(choice.isSpot ? written("spot") : []),
  ];
  const remarks = [
    ...(isFile ? [] : ["For bash, zsh or sh"]),
    ...written("before"),
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
    parts.join(isFile ? "\n" : LINE_END),
    ...(isVolumeFirst ? [] : adding),
    ...(login === undefined ? [] : [comment(`To log in: ssh ${login}@${blank("ip")}`)]),
    comment("To stop it and its costs:"),
    comment([...written("stop"), ...bodyOptions(lines["stop-body"], facts)].join(LINE_END)),
    ...(volume === undefined ? [] : volume.remove.map(comment)),
  ].join("\n");
}

const LINE_END = " \\\n  ";

/** The commands of the volume; undefined if there is none, or if no document has them. */
function volumeOf(facts: LaunchFacts) {
  const row = facts.volumeGb === undefined ? undefined : launchVolumes.get(facts.provider);
  const written = (...lines: (string | undefined)[]) =>
    lines.flatMap((line) => (line === undefined ? [] : (filled([line], facts, false) ?? [])));
  return row && { add: written(row.create, row.attach), remove: written(row.remove) };
}

const SUBSTITUTED = /\{([a-z]\w*)(?::([\w-]+)|=([\w.-]+))\}/gi;
/** A fact, maybe as a string of JSON. */
const FACT = /("?)\{([a-z]\w*)\}\1/gi;

/**
 * A line of which only `{fact}` is left to be filled in: with placeholders, and with what stands for unknown facts. Undefined if
 * it isn't needed, or if a fact is unknown that nothing stands for.
 */
function prepared([line, needs = ""]: Line, facts: Facts): string | undefined {
  const isNeeded = needs
    .split(" ")
    .every((name) => name === "" || Boolean(facts[name.replace("!", "")]) !== name.startsWith("!"));
  const text = line
    .replaceAll(/<([\w-]+)>/g, (_, name: string) => blank(name))
    .replaceAll("\\n", "\n")
    .replaceAll(SUBSTITUTED, (_, name: string, placeholder?: string, value = blank(placeholder ?? "")) =>
      facts[name] == null ? value : `{${name}}`,
    );
  const isKnown = Array.from(text.matchAll(FACT)).every(([, , name = ""]) => facts[name] != null);
  return isNeeded && isKnown ? text : undefined;
}

function filled(line: Line, facts: Facts, isFile: boolean): string | undefined {
  const text = prepared(line, facts);
  return isFile
    ? text?.replaceAll(FACT, (_, __, name: string) => yamlValue(facts[name]))
    : // A word that has a fact is quoted as a whole.
      text?.replaceAll(/'[^']*'|[^\s']+/g, (word) =>
        word.search(FACT) < 0 ? word : shellWord(filledWord(word, facts)),
      );
}

function yamlValue(fact: Fact): string {
  return typeof fact === "number" ? String(fact) : yamlScalar(String(fact));
}

function filledWord(word: string, facts: Facts): string {
  const text = word.replaceAll("'", "");
  return text.replaceAll(FACT, (_, quote: string, name: string) => {
    const fact = String(facts[name]);
    // Ids in addresses may be any text.
    return quote === "" ? (text.startsWith("https://") ? encodeURIComponent(fact) : fact) : JSON.stringify(fact);
  });
}

/** Members of JSON by their names, of which catalogs may state any. */
type Members = Record<string, unknown>;
const noMembers = (): Members => Object.create(null) as Members;

/** The options of a request with a JSON body, of lines such as `gpu.count={gpuCount}` and `ports[]=22/tcp`. */
function bodyOptions(lines: readonly Line[] = [], facts: Facts): string[] {
  const body = noMembers();
  for (const line of lines) {
    const [, path = "", isList, text = ""] = /^([^=[]+)(\[\])?=(.*)$/s.exec(prepared(line, facts) ?? "") ?? [];
    const names = path.split(".").map((name) => filledWord(name, facts));
    const last = names.pop() ?? "";
    const members = names.reduce((inner, name) => (inner[name] ??= noMembers()) as Members, body);
    if (path !== "") {
      members[last] = isList === undefined ? valueOf(text, facts) : [valueOf(text, facts)];
    }
  }
  const options = ["-H 'Content-Type: application/json'", `-d ${shellWord(JSON.stringify(body, undefined, 2))}`];
  return lines.length === 0 ? [] : options;
}

/** A fact as it is, a literal of JSON, or a text. */
function valueOf(text: string, facts: Facts): unknown {
  const [, fact] = /^\{(\w+)\}$/.exec(text) ?? [];
  const isJson = /^(?:true|false|\[.*\])$/.test(text);
  return fact === undefined ? (isJson ? JSON.parse(text) : text) : facts[fact];
}
