#!/usr/bin/env node
import "../start.js";

// The operator's program, from apps/admin. Imported dynamically: static imports would be loaded before the start.
const [{ runCommandLine }, { STARTER_CATALOG, VERSION }] = await Promise.all([
  import("@gpu-offers/admin/command-line"),
  import("../package-folder.js"),
]);
await runCommandLine({ version: VERSION, starterCatalog: STARTER_CATALOG });
