#!/usr/bin/env node
import "../start.js";

// The operator's program, from apps/admin. Imported dynamically, after the start: static imports would be loaded before
// it.
const [{ runCommandLine }, { STARTER_CATALOG, VERSION }] = await Promise.all([
  import("@gpu-offers/admin/command-line"),
  import("../package-folder.js"),
]);
await runCommandLine({ version: VERSION, starterCatalog: STARTER_CATALOG });
