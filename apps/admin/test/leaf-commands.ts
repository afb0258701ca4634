import type { Command } from "commander";

/** The runnable commands of a program, without hidden ones, by their full name: `key list`. */
export function leafCommands(command: Command, path: readonly string[] = []): { name: string; command: Command }[] {
  const children = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== "help");
  return children.length === 0
    ? [{ name: path.join(" "), command }]
    : children.flatMap((child) => leafCommands(child, [...path, child.name()]));
}
