import { vi } from "vitest";
import { databaseUrlOf, succeeding } from "@gpu-offers/testkit/admin";
import type { Ended } from "@gpu-offers/testkit/running-process";
import { runCommand } from "../src/command-line.ts";

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command on a database like the built program, but in this process, which takes a tenth of the processor time. It sees
 * only these settings. Commands wait for each other, because they share the environment and the output of the process.
 */
export function admin(database: string, ...args: string[]): Promise<Ended> {
  return runInProcess(args, { DATABASE_URL: databaseUrlOf(database) });
}

/** The same with other settings. */
export function runInProcess(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  const ended = last.then(() => run(args, settings));
  last = ended.catch(() => {});
  return ended;
}

/** The same for a command that must succeed. */
export const adminDone = succeeding(admin);

async function run(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
  const { env } = process;
  const umask = process.umask();
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text, ...more: unknown[]) => {
      printed[name] += typeof text === "string" ? text : Buffer.from(text).toString();
      more.forEach((callback) => typeof callback === "function" && callback());
      return true;
    }),
  );
  process.env = { PATH: env["PATH"], GPU_OFFERS_CALLED_AS: "gpu-offers-admin", ...settings };
  try {
    const starterCatalog = new URL("../../api/catalog/starter.json", import.meta.url);
    return { code: await runCommand({ version: "0.0.0", starterCatalog }, args), signal: null, ...printed };
  } finally {
    process.env = env;
    process.umask(umask);
    spies.forEach((spy) => spy.mockRestore());
  }
}
