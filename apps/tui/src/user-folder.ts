import { homedir } from "node:os";
import { join } from "node:path";

const FOLDERS = {
  XDG_CACHE_HOME: [".cache"],
  XDG_CONFIG_HOME: [".config"],
  XDG_STATE_HOME: [".local", "state"],
} as const;

/**
 * This program's folder for one kind of the user's files (XDG Base Directory Specification). Undefined for a user without
 * a home, as in a container that runs with any user id.
 */
export function userFolder(
  environment: Readonly<Record<string, string | undefined>>,
  kind: keyof typeof FOLDERS,
): string | undefined {
  const home = environment[kind] ? undefined : homeFolder();
  const base = environment[kind] || (home && join(home, ...FOLDERS[kind]));
  return base && join(base, "gpu-offers");
}

function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    // Node throws if neither HOME nor the system names one.
    return undefined;
  }
}
