import type { Command } from "commander";
import type * as z from "zod";
import { asCalled } from "./invocation.js";

// What all commands have in common: pasteable examples, and one schema for the --json output.

/** Options of a command that has `--json`. */
export interface JsonOption {
  json?: true;
}

/** Help of a command besides its description and options. */
export interface Usage {
  /** Commands to paste, written with the name `gpu-offers-admin`. */
  examples: readonly [string, ...string[]];
  /** Schema of the output with `--json`; without one, the command has no such option. */
  json?: z.ZodType;
  /** Text between the options and the examples. */
  notes?: string;
}

const usages = new WeakMap<Command, Usage>();

/** Completes a command: adds `--json` as its last option, its notes and its examples. */
export function addUsage(command: Command, usage: Usage): Command {
  usages.set(command, usage);
  if (usage.json !== undefined) {
    command.option("--json", "print the result as JSON");
  }
  return command.addHelpText("after", () => {
    const { examples, notes } = usage;
    const title = examples.length === 1 ? "Example:" : "Examples:";
    const parts = [...(notes === undefined ? [] : [notes]), [title, ...examples.map((line) => `  ${line}`)].join("\n")];
    return asCalled(`\n${parts.join("\n\n")}`);
  });
}

/** What {@link addUsage} added to a command. */
export function findUsage(command: Command): Usage | undefined {
  return usages.get(command);
}
