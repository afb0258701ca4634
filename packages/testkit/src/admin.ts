import { startProcess, type Ended, type ProcessOptions, type RunningProcess } from "./running-process.ts";

/** The `DATABASE_URL` of a database given by that URL, or by the path of its SQLite file. */
export function databaseUrlOf(database: string): string {
  return /^(?:sqlite|postgres):/.test(database) ? database : `sqlite:${database}`;
}

/** Starts an admin command on a database, such as `["catalog", "status"]`. */
export function startAdmin(database: string, args: readonly string[], options: ProcessOptions = {}): RunningProcess {
  const settings = { DATABASE_URL: databaseUrlOf(database), GPU_OFFERS_CALLED_AS: "gpu-offers-admin" };
  return startProcess("admin/main.js", args, settings, options);
}

/** Runs a command to completion. */
export function admin(database: string, ...args: string[]): Promise<Ended> {
  return startAdmin(database, args).ended;
}

/** A function that runs commands that must succeed. It throws an Error with the output, unless a command exits with 0. */
export const succeeding =
  (run: typeof admin): typeof admin =>
  async (database, ...args) => {
    const ended = await run(database, ...args);
    if (ended.code !== 0) {
      throw new Error(`${args.join(" ")} exited with ${ended.code}: ${ended.stderr}${ended.stdout}`);
    }
    return ended;
  };

/** Runs a command that must succeed, as a process. */
export const adminDone = succeeding(admin);
