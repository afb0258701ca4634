import { registerHooks } from "node:module";

// Preloaded into a program: makes a file of the bundle appear missing.

const missing = process.env["MISSING_FILE"] ?? "";

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (found.url.endsWith(missing)) {
      throw Object.assign(new Error(`${missing} is missing, and ${context.parentURL} loads it.`), {
        code: "MODULE_NOT_FOUND",
      });
    }
    return found;
  },
});
