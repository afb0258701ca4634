import type { Command } from "commander";
import { EXIT, Failure } from "../exit-codes.js";
import type { Flags } from "./flags.js";

// Which flags go together, and which affect a subcommand. A flag without effect is an error: ignoring it would mislead.

const NEEDS: readonly (readonly [flag: keyof Flags, needed: keyof Flags, reason?: string])[] = [
  ["limit", "list", "the picker shows all matches, and --first prints one"],
  ["fields", "list"],
  ["timeout", "watch"],
  ["cheaper", "watch"],
  ["interval", "watch"],
  ["exec", "watch"],
];

const CONFLICTS: readonly (readonly [keyof Flags, keyof Flags, reason?: string])[] = [
  ["catalog", "url"],
  ["live", "url", "--live fetches prices itself"],
  ["live", "catalog", "--live fetches prices itself"],
  ["first", "list"],
  ["id", "list", "run gpu-offers show ID"],
  ["id", "cheaper", "use --max-price"],
  ["id", "sort"],
  ["id", "order"],
  ["exec", "list"],
];

/** @throws Failure for the first invalid combination of flags. */
export function checkFlags(flags: Flags): void {
  checkConflicts(flags);
  for (const [flag, needed, reason] of NEEDS) {
    if (flags[flag] !== undefined && flags[needed] === undefined) {
      throw new Failure(EXIT.usage, `--${flag} requires --${needed}${reason === undefined ? "" : `; ${reason}`}.`);
    }
  }
  if (flags.sample === true && flags.first !== true && flags.id === undefined && flags.watch !== true) {
    throw new Failure(EXIT.usage, "--sample requires --first, --id or --watch; lists show sample prices anyway.");
  }
  // Of a choice, JSON is the only format.
  if (flags.list === undefined && flags.format !== undefined && flags.format !== "json") {
    throw new Failure(EXIT.usage, "--format requires --list, unless it is json: the format of a choice.");
  }
  if (flags.fields !== undefined && (flags.format ?? "table") === "table") {
    throw new Failure(EXIT.usage, "--fields requires --format json, ndjson or csv.");
  }
  if (flags.exec?.trim() === "") {
    throw new Failure(EXIT.usage, "--exec requires a command.");
  }
}

function checkConflicts(flags: Flags): void {
  for (const [one, other, reason] of CONFLICTS) {
    if (flags[one] !== undefined && flags[other] !== undefined) {
      const why = reason === undefined ? "" : `; ${reason}`;
      throw new Failure(EXIT.usage, `--${one} and --${other} cannot be combined${why}.`);
    }
  }
}

/**
 * Checks the flags of a subcommand: its own options, and those of the program that affect it.
 * @throws Failure for the first one without effect, and for contradictory ones.
 */
export function checkCommandFlags(command: Command, affecting: readonly (keyof Flags)[], flags: Flags): void {
  checkConflicts(flags);
  const used = new Set<string>([...affecting, ...command.options.map((option) => option.attributeName())]);
  if (flags.catalog === undefined) {
    // Only a SkyPilot file needs its provider's name.
    used.delete("provider");
  }
  const unused = Object.keys(flags).find((name) => !used.has(name));
  if (unused !== undefined) {
    const flag = `--${unused.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new Failure(EXIT.usage, `${flag} has no effect on ${command.name()}. Remove it.`);
  }
}
