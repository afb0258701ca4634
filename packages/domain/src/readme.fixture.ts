/**
 * The examples of a package's README as one TypeScript module that throws if a statement does not have the value that its
 * comment states: `statement; // => value`, with the comment after the statement or on the next line.
 */
export function readmeModule(readme: string): string {
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const claims = /^(?<actual>\S.*);\s*\/\/ => (?<expected>.+)$/gm;
  return [
    'import { deepEqual } from "node:assert/strict";',
    ...blocks.map((code) => code.replaceAll(claims, "deepEqual($<actual>, $<expected>);")),
  ].join("\n");
}
