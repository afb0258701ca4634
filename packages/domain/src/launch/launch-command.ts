import { blank, comment } from "./launch-text.js";
import type { LaunchPlace } from "./launch-place.js";
import { shellWord } from "../text/shell-word.js";

// A command that launches a machine, and how its text is written.

/** What a command is made from. */
export interface LaunchFacts extends LaunchPlace {
  /** What the provider takes as the machine: an instance type, or the id of a marketplace's offer. */
  type: string;
  /** The marketplace's id of the place or offer, where the type isn't it. */
  offerId: string | null;
  gpuCount: number;
  gpuSlug: string;
  vcpu: number;
  ramGb: number;
  /** Id of the provider's image; undefined if none is chosen. */
  imageId: string | undefined;
  imageName: string | undefined;
  /** What the image calls the disk that it boots from; undefined if that is unknown. */
  rootDevice: string | undefined;
  /** Whole GB; undefined if the included disk is used. */
  diskGb: number | undefined;
  /** Whole GB of a volume beside the included disk, if `diskGb` is more than that. */
  addedGb: number | undefined;
  /** What the disk is, such as `Hyperdisk Balanced`; null if unknown. */
  diskProduct: string | null;
  isSpot: boolean;
  /** Minimum bid of the whole instance, USD per hour; undefined if the spot price isn't a bid. */
  bid: number | undefined;
  /** Limit of the price, USD per hour; undefined for a free machine. */
  ceiling: number | undefined;
  nodes: number;
  seller: string | null;
  /** The cloud of a reseller's machine; undefined if it is unknown. */
  cloud: string | undefined;
}

/** A way to launch the machines of one provider. */
export interface LaunchCommand {
  /** Key of the provider, see `providerKey`. */
  provider: string;
  /** The name of the program; default: `curl`. */
  tool?: string;
  title: string;
  /** What identifies the machine; default: its instance type. */
  takes?: "providerOfferId";
  /** Set if the text can ask for spot terms. */
  hasSpot?: true;
  /** Only for these types; all if undefined. */
  types?: RegExp;
  /** Set if the text states the chosen disk. */
  hasDisk?: true;
  /** Set if one request rents several machines. */
  hasNodes?: true;
  /** Set if the text is a YAML file, not a command of a shell. */
  isFile?: true;
  source: { title: string; url: string };
  /** The command. */
  text: (facts: LaunchFacts) => string;
  /** What to do before, each a line: prose without marks that a shell reads, and commands. */
  before?: (facts: LaunchFacts) => readonly string[];
  /** A volume beside the included disk. */
  volume?: (addedGb: number, facts: LaunchFacts) => string;
  /** The command that ends the machine and its costs. */
  stop: (facts: LaunchFacts) => string;
}

/** The whole text of a command. Everything that isn't the command is a comment. */
export function commandText(launcher: LaunchCommand, facts: LaunchFacts, login: string | undefined): string {
  const { diskGb, addedGb, nodes } = facts;
  const volume = addedGb === undefined ? undefined : launcher.volume?.(addedGb, facts);
  const isDiskMissing = diskGb !== undefined && launcher.hasDisk !== true && volume === undefined;
  const remarks = [
    ...(launcher.isFile === true ? [] : ["For bash, zsh or sh"]),
    ...(launcher.before?.(facts) ?? []),
    ...(isDiskMissing ? [`This request has no disk of ${diskGb} GB: add it afterwards.`] : []),
    ...(nodes > 1 && launcher.hasNodes !== true ? [`Send it ${nodes} times: one machine each.`] : []),
  ];
  return [
    ...remarks.map(comment),
    launcher.text(facts),
    ...(volume === undefined ? [] : [comment("Then its volume:"), volume]),
    ...(login === undefined ? [] : [comment(`To log in: ssh ${login}@${blank("ip")}`)]),
    comment("To stop it and its costs:"),
    comment(launcher.stop(facts)),
  ].join("\n");
}

/** A command on several lines, without the parts that are undefined. */
export function command(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" \\\n  ");
}

/** A request with a JSON body, without the members that are undefined. */
export function post(url: string, header: string, body: Readonly<Record<string, unknown>>, method = "POST"): string {
  const json = JSON.stringify(body, undefined, 2);
  return command(
    `curl -X ${method} ${shellWord(url)}`,
    `-H ${shellWord(header)}`,
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(json)}`,
  );
}

/** A request without a body. */
export function request(method: "DELETE" | "POST" | "GET", url: string, header: string): string {
  return `curl -X ${method} ${shellWord(url)} -H ${shellWord(header)}`;
}

/** A value as a word of a shell, or a placeholder if it is unknown. */
export function wordOr(value: string | undefined, placeholder: Parameters<typeof blank>[0]): string {
  return value === undefined ? blank(placeholder) : shellWord(value);
}

/** The header of a key that is still to be filled in. */
export const BEARER = `Authorization: Bearer ${blank("api-key")}`;
