import { readFileSync } from "node:fs";

/** The README; the package contains a copy. */
export const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/**
 * The README's examples as one TypeScript module that sends requests to the service at `url`, and throws if a statement
 * does not have the value that its comment states: `statement; // => value`.
 */
export function readmeModule(url: string, apiKey: string): string {
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const claims = /^(?<actual>\S.*); \/\/ => (?<expected>.+)$/gm;
  return ['import { deepEqual } from "node:assert/strict";', ...blocks]
    .join("\n")
    .replaceAll(claims, "deepEqual($<actual>, $<expected>);")
    .replaceAll("http://127.0.0.1:3000", url)
    .replaceAll("gpo_...", apiKey);
}
