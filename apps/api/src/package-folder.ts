import { readFileSync } from "node:fs";

/**
 * The folder of this package: `package.json`, `catalog`, `dist`. It is one level above this file in the sources, and above
 * the bundle that has it.
 */
export const PACKAGE_FOLDER = new URL("../", import.meta.url);

/** The starter catalog in native format: a dated sample of real offers. */
export const STARTER_CATALOG = new URL("catalog/starter.json", PACKAGE_FOLDER);

/** Version of this package. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL("package.json", PACKAGE_FOLDER), "utf8")) as {
  version: string;
};
