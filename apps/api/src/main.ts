#!/usr/bin/env node
import "./start.js";
import { startLoader } from "./catalog/load-thread.js";

// The service's program. The rest is imported dynamically, after the start, and while the thread loads its modules.
if (process.argv.length === 2) {
  startLoader();
}
await import("./service-process.js");
