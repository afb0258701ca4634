import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

/** Runs pnpm in the repository. It prints nothing unless it fails, which ends the process with a message. */
export function pnpm(args, what) {
  const { status, stdout, error } = spawnSync("pnpm", args, {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ""}gpu-offers: ${what} failed ${error?.message ?? ""}\n`);
    process.exit(1);
  }
}
