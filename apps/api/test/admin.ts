import { startProcess, type Ended, type ProcessOptions, type RunningProcess } from "./running-process.ts";

/** Starts a command of the operator's command line on a database, such as `["catalog", "status"]`. */
export function startAdmin(
  databasePath: string,
  args: readonly string[],
  options: ProcessOptions = {},
): RunningProcess {
  return startProcess("admin/main.js", args, { DATABASE_URL: `sqlite:${databasePath}` }, options);
}

/** Runs a command to its end. */
export function admin(databasePath: string, ...args: string[]): Promise<Ended> {
  return startAdmin(databasePath, args).ended;
}

/**
 * Runs a command that a test only needs done.
 * @throws Error with what the command said, unless it exits 0.
 */
export async function adminDone(databasePath: string, ...args: string[]): Promise<Ended> {
  const ended = await admin(databasePath, ...args);
  if (ended.code !== 0) {
    throw new Error(`${args.join(" ")} exited with ${ended.code}: ${ended.stderr}${ended.stdout}`);
  }
  return ended;
}
