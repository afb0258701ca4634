import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The path of a built program, such as `apps/api/dist/main.js`, relative to the root of the repository.
 * @throws Error if the build is missing.
 */
export function builtProgram(path: string): string {
  const program = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  if (!existsSync(program)) {
    throw new Error(`${path} is missing. Build it first: pnpm build`);
  }
  return program;
}
