import { AdminCommand } from "../src/command.ts";
import { createProgram } from "../src/program.ts";

/** The runnable commands of the program, without hidden ones, by their full name: `key list`. */
export async function leafCommands(): Promise<{ name: string; command: AdminCommand }[]> {
  const starterCatalog = new URL("../../api/catalog/starter.json", import.meta.url);
  return leavesOf(await createProgram({ version: "0.0.0", starterCatalog }), []);
}

function leavesOf(command: AdminCommand, path: readonly string[]): { name: string; command: AdminCommand }[] {
  const children = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child instanceof AdminCommand)
    .filter((child) => child.name() !== "help");
  return children.length === 0
    ? [{ name: path.join(" "), command }]
    : children.flatMap((child) => leavesOf(child, [...path, child.name()]));
}
