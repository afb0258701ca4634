import { readFileSync } from "node:fs";

/** The folder of this package (package.json, catalog, dist): one level above this file and above its bundle. */
export const PACKAGE_FOLDER = new URL("../", import.meta.url);

/** The starter catalog in native format: a dated sample of real offers. */
export const STARTER_CATALOG = new URL("catalog/starter.json", PACKAGE_FOLDER);

const { version, build } = JSON.parse(readFileSync(new URL("package.json", PACKAGE_FOLDER), "utf8")) as {
  version: string;
  /** Date and hash of the commit, in packages: see scripts/build-name.mjs. */
  build?: string;
};

/** Version of this package, such as `0.1.0+20261126.1a2b3c4d`, or `0.1.0` in a checkout. */
export const VERSION = build === undefined ? version : `${version}+${build}`;
