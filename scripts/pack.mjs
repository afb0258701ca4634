// Packs every published package as the registry would get it: one tarball per package, in dist/packages.
//
//     npx -y pnpm@12 run pack        builds first
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const REPOSITORY = new URL("..", import.meta.url);
const FOLDERS = ["packages/domain", "packages/sources", "packages/client", "packages/agent", "apps/api", "apps/tui"];

const target = fileURLToPath(new URL("dist/packages", REPOSITORY));
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const folder of FOLDERS) {
  const { name } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, REPOSITORY), "utf8"));
  const args = [
    "--filter",
    name,
    "--config.pnpmfile=scripts/packed-manifest.mjs",
    "pack",
    "--pack-destination",
    target,
  ];
  const { status, stdout, error } = spawnSync("pnpm", args, {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ""}gpu-offers: packing ${name} failed ${error?.message ?? ""}\n`);
    process.exit(1);
  }
}
process.stdout.write(`${target}\n`);
