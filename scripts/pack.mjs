// Packs every published package as the registry would get it: one tarball per package, in dist/packages or in
// another folder, which is emptied.
//
//     npx -y pnpm@12 run pack [folder]        builds first
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pnpm } from "./pnpm.mjs";

const REPOSITORY = new URL("..", import.meta.url);
const FOLDERS = ["packages/domain", "packages/sources", "packages/client", "packages/agent", "apps/api", "apps/tui"];

const target = process.argv[2] ?? fileURLToPath(new URL("dist/packages", REPOSITORY));
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const folder of FOLDERS) {
  const { name } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, REPOSITORY), "utf8"));
  const hook = "--config.pnpmfile=scripts/packed-manifest.mjs";
  pnpm(["--filter", name, hook, "pack", "--pack-destination", target], `packing ${name}`);
}
process.stdout.write(`${target}\n`);
