import { readFileSync } from "node:fs";

/** Version that providers read in the `User-Agent`: that of the package which contains this file, or its bundle. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
