import { EXIT, Failure } from "../output/exit-codes.js";
import type { Flags } from "./flags.js";

// Which flags go together, and which affect a subcommand. A flag without effect is an error: ignoring it would mislead.

/** Invalid combinations of flags, with the reason. Silently ignoring a flag would mislead. */
const INVALID_COMBINATIONS: readonly { applies: (flags: Flags) => boolean; reason: string }[] = [
  {
    applies: ({ first, list }) => first === true && list === true,
    reason: "--first and --list cannot be combined. Use one of them.",
  },
  {
    applies: ({ limit, list }) => limit !== undefined && list !== true,
    reason: "--limit requires --list; the picker shows all matches, and --first prints one.",
  },
  {
    applies: ({ format, list }) => format !== undefined && list !== true,
    reason: "--format requires --list; the picker and --first print one line of JSON.",
  },
  {
    applies: ({ id, list, watch }) => id !== undefined && (list === true || watch === true),
    reason: "--id selects one offer. Use it with --first, or run gpu-offers show ID.",
  },
  {
    applies: ({ id, sort, order }) => id !== undefined && (sort !== undefined || order !== undefined),
    reason: "--sort and --order have no effect with --id.",
  },
  {
    applies: ({ fields, format, list }) => fields !== undefined && (list !== true || (format ?? "table") === "table"),
    reason: "--fields requires --list with --format json, ndjson or csv.",
  },
  {
    applies: ({ hours, budget }) => hours !== undefined && budget === undefined,
    reason: "--hours requires --budget.",
  },
  {
    applies: ({ timeout, watch }) => timeout !== undefined && watch !== true,
    reason: "--timeout requires --watch.",
  },
  {
    applies: ({ cheaper, watch }) => cheaper === true && watch !== true,
    reason: "--cheaper requires --watch.",
  },
  {
    applies: ({ exec, watch, list }) => exec !== undefined && (watch !== true || list === true),
    reason: "--exec requires --watch, and cannot be combined with --list.",
  },
  {
    applies: ({ exec }) => exec?.trim() === "",
    reason: "--exec requires a command.",
  },
  {
    applies: ({ interval, watch }) => interval !== undefined && watch !== true,
    reason: "--interval requires --watch.",
  },
];

/** @throws Failure for the first invalid combination of flags. */
export function checkFlags(flags: Flags): void {
  checkSource(flags);
  const combination = INVALID_COMBINATIONS.find(({ applies }) => applies(flags));
  if (combination !== undefined) {
    throw new Failure(EXIT.usage, combination.reason);
  }
}

function checkSource({ catalog, url, live }: Flags): void {
  if (catalog !== undefined && url !== undefined) {
    throw new Failure(EXIT.usage, "--catalog and --url cannot be combined. Use one of them.");
  }
  if (live === true && (catalog !== undefined || url !== undefined)) {
    throw new Failure(EXIT.usage, "--live fetches prices itself. Use it without --url and --catalog.");
  }
}

/** Flags that select a source. */
const SOURCE_FLAGS = ["url", "catalog", "provider", "live"] as const;

/** Flags that affect a subcommand. */
const COMMAND_FLAGS = {
  show: [...SOURCE_FLAGS, "format", "disk", "budget"],
  launch: [...SOURCE_FLAGS, "disk", "spot", "as"],
  compare: [...SOURCE_FLAGS, "format", "disk", "budget"],
  gpus: [...SOURCE_FLAGS, "format"],
  trend: ["url", "format", "since", "until", "step"],
  fit: [...SOURCE_FLAGS, "format", "bits", "context", "sequences", "limit"],
  providers: [...SOURCE_FLAGS, "format"],
  images: [...SOURCE_FLAGS, "format"],
  rejected: ["catalog", "provider", "format"],
  account: ["url", "format"],
  balance: ["url", "format"],
  mcp: SOURCE_FLAGS,
} as const satisfies Readonly<Record<string, readonly (keyof Flags)[]>>;

/** A subcommand that reads a source. */
export type SourceCommand = keyof typeof COMMAND_FLAGS;

/** Names of the flags that affect a subcommand. */
export function flagsOf(command: SourceCommand): readonly (keyof Flags)[] {
  return COMMAND_FLAGS[command];
}

/** @throws Failure for the first flag without effect on a subcommand, and for contradictory ones. */
export function checkCommandFlags(command: SourceCommand, flags: Flags): void {
  checkSource(flags);
  const used = new Set<string>(flagsOf(command));
  if (flags.catalog === undefined) {
    // Only a SkyPilot file needs its provider's name.
    used.delete("provider");
  }
  const unused = Object.keys(flags).find((name) => !used.has(name));
  if (unused !== undefined) {
    const flag = `--${unused.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new Failure(EXIT.usage, `${flag} has no effect on ${command}. Remove it.`);
  }
}
