// Builds one package and what it needs, and says nothing unless that fails: stdout belongs to the
// command that runs afterwards (an export, JSON). Cached by turbo, so a second call costs little.
import { spawnSync } from "node:child_process";

const [packageName] = process.argv.slice(2);
const build = spawnSync("pnpm", ["exec", "turbo", "run", "build", `--filter=${packageName}...`, "--output-logs=errors-only", "--log-prefix=none"], {
  stdio: ["ignore", "pipe", "inherit"],
  encoding: "utf8",
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  shell: process.platform === "win32",
});
if (build.status !== 0) {
  process.stderr.write(build.stdout ?? "");
  process.stderr.write(`gpu-offers: the build of ${packageName} failed\n`);
  process.exit(1);
}
