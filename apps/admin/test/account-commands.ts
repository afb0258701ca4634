import { admin, adminDone } from "./in-process.ts";

/** Runs commands on a database, whose address is known when they run. */
export function commandsOn(database: () => string) {
  const run = (...args: string[]) => admin(database(), ...args);
  return {
    run,
    /** The output of a command as JSON. */
    json: async (...args: string[]): Promise<unknown> =>
      JSON.parse((await adminDone(database(), ...args, "--json")).stdout),
    credit: (verb: string, account: string, amount: string, reference: string, ...options: string[]) =>
      run("credit", verb, "--account", account, "--amount", amount, "--reference", reference, ...options),
  };
}
