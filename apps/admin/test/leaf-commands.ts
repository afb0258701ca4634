import type { Command } from "commander";

/** The runnable commands of a program, by their full name: `key list`. */
export function leafCommands(command: Command, path: readonly string[] = []): { name: string; command: Command }[] {
  return command.commands.length === 0
    ? [{ name: path.join(" "), command }]
    : command.commands.flatMap((child) => leafCommands(child, [...path, child.name()]));
}
