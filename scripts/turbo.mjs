// Runs tasks (`build`, `build,typecheck`) for one package and its dependencies, or for all. It prints nothing unless a task
// fails: standard output belongs to the command that runs afterwards (an export, JSON).
// Turbo caches finished tasks, so a second call is cheap.
import { spawnSync } from "node:child_process";
import { compileFacts } from "./facts/compile.mjs";

compileFacts();
const [tasks = "", packageName] = process.argv.slice(2);
const result = spawnSync(
  "pnpm",
  [
    "exec",
    "turbo",
    "run",
    ...tasks.split(","),
    ...(packageName === undefined ? [] : [`--filter=${packageName}...`]),
    "--output-logs=errors-only",
    "--log-prefix=none",
  ],
  {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    shell: process.platform === "win32",
  },
);
if (result.status !== 0) {
  process.stderr.write(result.stdout ?? "");
  process.stderr.write(`gpu-offers: ${tasks} failed\n`);
  process.exit(1);
}
