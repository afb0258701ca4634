import { writeFileSync } from "node:fs";
import { readCatalogFile } from "./catalog-file.js";
import { keptText } from "./local-catalog.js";

// Run by the build: reads the starter catalog, and writes it as the program keeps what it has read.

const [path = "", target = ""] = process.argv.slice(2);
writeFileSync(target, keptText({ catalog: await readCatalogFile({ path }), fetchedAtMs: 0 }));
