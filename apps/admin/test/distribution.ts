import type { Distribution } from "../src/program.ts";

/** The package of this repository that contains the program. */
export const distribution: Distribution = {
  version: "0.0.0",
  starterCatalog: new URL("../../api/catalog/starter.json", import.meta.url),
};
