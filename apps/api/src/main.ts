#!/usr/bin/env node
import "./start.js";

// The service's program. Imported dynamically, after the start: static imports would be loaded before it.
await import("./service-process.js");
