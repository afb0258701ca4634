import { AdminCommand } from "../src/command.ts";

/** The runnable commands of a program, without hidden ones, by their full name: `key list`. */
export function leafCommands(
  command: AdminCommand,
  path: readonly string[] = [],
): { name: string; command: AdminCommand }[] {
  const children = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child instanceof AdminCommand)
    .filter((child) => child.name() !== "help");
  return children.length === 0
    ? [{ name: path.join(" "), command }]
    : children.flatMap((child) => leafCommands(child, [...path, child.name()]));
}
