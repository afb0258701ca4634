import { shellWord } from "../text/shell-word.js";

// A command that launches a machine, and how its text is written.

/** What a command is made from. */
export interface LaunchFacts {
  /** What the provider takes as the machine: an instance type, or the id of a marketplace's offer. */
  type: string;
  /** Without a zone; undefined if it is unknown. */
  region: string | undefined;
  gpuCount: number;
  /** Id of the provider's image; undefined if none is chosen. */
  imageId: string | undefined;
  imageName: string | undefined;
  /** Whole GB; undefined if the disk is fixed or unknown. */
  diskGb: number | undefined;
  isSpot: boolean;
  /** Minimum bid of the whole instance, USD per hour; undefined if the spot price isn't a bid. */
  bid: number | undefined;
  seller: string | null;
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
  /** Only for types that begin so; all if undefined. */
  prefix?: string;
  source: { title: string; url: string };
  text: (facts: LaunchFacts) => string;
}

/** A text to replace before the command is run: `<key-pair>`. */
export function blank(name: string): string {
  return `<${name}>`;
}

/** A command on several lines, without the parts that are undefined. */
export function command(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" \\\n  ");
}

/** A POST request with a JSON body, without the members that are undefined. */
export function post(url: string, header: string, body: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(body, undefined, 2);
  return command(
    `curl -X POST ${url}`,
    `-H ${shellWord(header)}`,
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(json)}`,
  );
}

/** A region as a word of a shell. */
export function regionWord(region: string | undefined): string {
  return region === undefined ? blank("region") : shellWord(region);
}

/** The header of a key that is still to be filled in: `<API key>`. */
export const bearer = (name: string): string => `Authorization: Bearer ${blank(name)}`;
