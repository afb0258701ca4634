import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const REPOSITORY = new URL("..", import.meta.url);

/**
 * What distinguishes builds of a version: date and hash of the commit, such as `20261126.1a2b3c4d`. Where there is no
 * repository, as in the build of the image, the variable BUILD states it, or it is undefined.
 */
export function buildName() {
  if (!existsSync(new URL(".git", REPOSITORY))) {
    return process.env.BUILD || undefined;
  }
  const format = ["--date=format:%Y%m%d", "--abbrev=8", "--format=%cd.%h"];
  const { status, stdout } = spawnSync("git", ["show", "--no-patch", ...format], { cwd: REPOSITORY, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
