// Runs the service with reload: rebuilds what an edit affects (the domain included) and restarts on the new build.
// Stop it with Ctrl-C.
import { spawn, spawnSync } from "node:child_process";

const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", LOG_FORMAT: process.env.LOG_FORMAT ?? "pretty" };
const turbo = ["exec", "turbo"];
const filter = "--filter=gpu-offers-server...";

const first = spawnSync("pnpm", [...turbo, "run", "build", filter, "--output-logs=errors-only"], {
  stdio: "inherit",
  env,
});
if (first.status !== 0) {
  process.exit(first.status ?? 1);
}
const children = [
  spawn("pnpm", [...turbo, "watch", "build", filter, "--ui=stream", "--output-logs=errors-only"], {
    stdio: ["ignore", "inherit", "inherit"],
    env,
  }),
  spawn(process.execPath, ["--watch", "--watch-preserve-output", "apps/api/dist/main.js"], { stdio: "inherit", env }),
];
const stop = () => {
  for (const child of children) {
    child.kill("SIGTERM");
  }
};
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
for (const child of children) {
  child.once("exit", stop);
}
