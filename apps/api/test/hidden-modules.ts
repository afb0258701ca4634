import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

// Preloaded into a program: it can't load a file of the bundle (MISSING_FILE), or packages that aren't in a list
// (SHIPPED_PACKAGES). In a workspace, a package can find dependencies that only another package declares.

const { MISSING_FILE: missing, SHIPPED_PACKAGES: list } = process.env;
const shipped = list === undefined ? undefined : new Set(JSON.parse(readFileSync(list, "utf8")) as string[]);

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const folder = /\/node_modules\/\.pnpm\/([^/]+)\/node_modules\//.exec(found.url)?.[1];
    const name = folder?.replace(/(?<=.)_.*/, "").replaceAll("+", "/");
    const isMissing = missing !== undefined && found.url.endsWith(missing);
    if (isMissing || (name !== undefined && shipped?.has(name) === false)) {
      const problem = isMissing ? `${missing} is missing` : `${name} is not shipped`;
      throw Object.assign(new Error(`${problem}, and ${context.parentURL} loads it.`), { code: "MODULE_NOT_FOUND" });
    }
    return found;
  },
});
