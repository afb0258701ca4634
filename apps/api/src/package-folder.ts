/**
 * The folder of this package: `package.json`, `catalog`, `dist`. It is one level above this file in the sources, and above
 * the bundle that has it.
 */
export const PACKAGE_FOLDER = new URL("../", import.meta.url);
