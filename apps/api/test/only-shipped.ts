import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

// Preloaded into a program: it can only load the packages of a list, as if only those were installed.
// In a workspace, a package can find dependencies that only another package declares.

const shipped = new Set(JSON.parse(readFileSync(process.env["SHIPPED_PACKAGES"] ?? "", "utf8")) as string[]);

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const folder = /\/node_modules\/\.pnpm\/([^/]+)\/node_modules\//.exec(found.url)?.[1];
    const name = folder?.replace(/(?<=.)_.*/, "").replaceAll("+", "/");
    if (name !== undefined && !shipped.has(name)) {
      throw Object.assign(new Error(`${name} is not shipped, and ${context.parentURL} loads it.`), {
        code: "MODULE_NOT_FOUND",
      });
    }
    return found;
  },
});
